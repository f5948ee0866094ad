package dev.escapement.process.os;

import dev.escapement.process.run.RunOwner;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The processes of this machine. */
public interface ProcessTable {

    /** Environment variable with the run's uid, set for every process of a run. */
    String RUN_VARIABLE = "ESCAPEMENT_RUN";

    /** Environment variable that only the supervisor's processes have, not the tasks. */
    String ROLE_VARIABLE = "ESCAPEMENT_ROLE";

    String SUPERVISOR_ROLE = "supervisor";

    /**
     * A process of a run.
     *
     * @param isSupervisor true if it runs the tasks or keeps their output
     */
    record RunProcess(ProcessHandle process, boolean isSupervisor) {}

    /** A run whose processes are searched for. */
    record RunQuery(String uid, RunOwner.Supervisor supervisor) {}

    boolean isAlive(RunOwner.Supervisor supervisor);

    /** Returns the processes by run uid, without an entry for a run that has none. */
    Map<String, List<RunProcess>> findProcesses(Collection<RunQuery> runs);

    /** Returns the table of this machine. Supervisors of another boot are dead, even if a process has their pid. */
    static ProcessTable forThisMachine(BootId bootId) {
        return LinuxProcessTable.isSupported() ? new LinuxProcessTable(bootId) : new PortableProcessTable();
    }
}
