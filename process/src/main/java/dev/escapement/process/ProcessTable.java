package dev.escapement.process;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The processes of this machine. */
interface ProcessTable {

    /** In the environment of every process of a run. */
    String RUN = "ESCAPEMENT_RUN";

    /** In the environment of a run's own processes, and not of its tasks. */
    String ROLE = "ESCAPEMENT_ROLE";

    /** What {@link #ROLE} says there. */
    String SUPERVISOR = "supervisor";

    /**
     * A process of a run.
     *
     * @param supervising it is no task, but runs them or keeps their output
     */
    record Member(ProcessHandle process, boolean supervising) {}

    /** Whose processes are looked for. */
    record Sought(String uid, Claim.Supervisor supervisor) {}

    /** Whether this very process still lives. */
    boolean isAlive(Claim.Supervisor supervisor);

    /** The processes of these runs, by the uid of the run; nothing for a run that has none. */
    Map<String, List<Member>> members(Collection<Sought> runs);

    /** The table of this machine in this boot: processes of another are gone, whoever has their numbers now. */
    static ProcessTable ofThisMachine(Boot boot) {
        return LinuxProcesses.areHere() ? new LinuxProcesses(boot) : new PlainProcesses();
    }
}
