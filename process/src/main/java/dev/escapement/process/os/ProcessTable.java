package dev.escapement.process.os;

import dev.escapement.process.run.RunOwner;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The processes of this machine. */
public interface ProcessTable {

    /** In the environment of every process of a run. */
    String RUN_VARIABLE = "ESCAPEMENT_RUN";

    /** In the environment of a run's own processes, and not of its tasks. */
    String ROLE_VARIABLE = "ESCAPEMENT_ROLE";

    /** What {@link #ROLE_VARIABLE} says there. */
    String SUPERVISOR_ROLE = "supervisor";

    /**
     * A process of a run.
     *
     * @param isSupervisor it is no task, but runs them or keeps their output
     */
    record RunProcess(ProcessHandle process, boolean isSupervisor) {}

    /** Whose processes are looked for. */
    record RunQuery(String uid, RunOwner.Supervisor supervisor) {}

    /** Whether this very process still lives. */
    boolean isAlive(RunOwner.Supervisor supervisor);

    /** The processes of these runs, by the uid of the run; nothing for a run that has none. */
    Map<String, List<RunProcess>> findProcesses(Collection<RunQuery> runs);

    /** The table of this machine in this boot: processes of another are gone, whoever has their numbers now. */
    static ProcessTable forThisMachine(BootId boot) {
        return LinuxProcessTable.isSupported() ? new LinuxProcessTable(boot) : new PortableProcessTable();
    }
}
