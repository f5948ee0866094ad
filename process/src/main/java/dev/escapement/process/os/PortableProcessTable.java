package dev.escapement.process.os;

import dev.escapement.process.run.RunOwner.Supervisor;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The process table without {@code /proc}, as on macOS. The processes of a run are the descendants of its supervisor; a
 * process that detached itself from its parent is not found.
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
                List<RunProcess> processes = ProcessHandle.of(run.supervisor().pid()).stream()
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
