package dev.escapement.process.os;

import dev.escapement.process.run.RunClaim.Supervisor;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

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
    record RunQuery(String uid, Supervisor supervisor) {}

    boolean isAlive(Supervisor supervisor);

    /** Returns the processes by run uid, without an entry for a run that has none. */
    Map<String, List<RunProcess>> findProcesses(Collection<RunQuery> runs);

    /** Returns the table of this machine. Supervisors of another boot are dead, even if a process has their pid. */
    static ProcessTable forThisMachine(BootId bootId) {
        return LinuxProcessTable.isSupported() ? new LinuxProcessTable(bootId) : new PortableProcessTable();
    }

    /**
     * The process table without {@code /proc}, as on macOS. The processes of a run are the descendants of its
     * supervisor; a process that detached itself from its parent is not found.
     */
    final class PortableProcessTable implements ProcessTable {

        /** Start times have a resolution of about a second. */
        private static final Duration START_TIME_TOLERANCE = Duration.ofSeconds(2);

        @Override
        public boolean isAlive(Supervisor supervisor) {
            // A later process with the same pid has started after the supervisor created its link.
            return ProcessHandle.of(supervisor.pid())
                    .filter(ProcessHandle::isAlive)
                    .filter(process -> process.info()
                            .startInstant()
                            .map(start -> !start.isAfter(supervisor.startedAt().plus(START_TIME_TOLERANCE)))
                            .orElse(true))
                    .isPresent();
        }

        @Override
        public Map<String, List<RunProcess>> findProcesses(Collection<RunQuery> runs) {
            Map<String, List<RunProcess>> found = new HashMap<>();
            for (RunQuery run : runs) {
                if (isAlive(run.supervisor())) {
                    List<RunProcess> processes = ProcessHandle.of(
                                    run.supervisor().pid())
                            .stream()
                            .flatMap(ProcessHandle::descendants)
                            .map(process -> new RunProcess(process, isSupervisorPart(process, run.supervisor())))
                            .toList();
                    found.put(run.uid(), processes);
                }
            }
            return found;
        }

        /** The children of the supervisor are the shell that runs the tasks and the one that keeps their output. */
        private static boolean isSupervisorPart(ProcessHandle process, Supervisor supervisor) {
            Predicate<ProcessHandle> isSupervisor = above -> above.pid() == supervisor.pid();
            Optional<ProcessHandle> parent = process.parent();
            boolean sink = process.info().command().orElse("").endsWith("/cat");
            return parent.filter(isSupervisor).isPresent()
                    || (sink
                            && parent.flatMap(ProcessHandle::parent)
                                    .filter(isSupervisor)
                                    .isPresent());
        }
    }
}
