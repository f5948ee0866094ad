package dev.escapement.process.monitor;

import dev.escapement.process.monitor.MonitoredRun.TerminationLevel;
import dev.escapement.process.os.ProcessTable;
import dev.escapement.process.os.ProcessTable.RunProcess;
import dev.escapement.process.os.ProcessTable.RunQuery;
import dev.escapement.process.run.RunClaim;
import dev.escapement.process.run.RunFolder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Terminates the processes of runs that must stop or have ended. Requests that arrive at about the same time share one
 * scan of the process table. Used only on the {@link EventLoop}.
 */
final class ProcessTerminator {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessTerminator.class);

    private final ProcessTable processTable;
    private final EventLoop eventLoop;
    private final Duration gracePeriod;
    private final RunMonitor monitor;
    private final Map<MonitoredRun, RunClaim.Supervisor> requested = new LinkedHashMap<>();

    ProcessTerminator(ProcessTable processTable, EventLoop eventLoop, Duration gracePeriod, RunMonitor monitor) {
        this.processTable = processTable;
        this.eventLoop = eventLoop;
        this.gracePeriod = gracePeriod;
        this.monitor = monitor;
    }

    void request(MonitoredRun run, RunClaim.Supervisor supervisor) {
        if (requested.isEmpty()) {
            eventLoop.execute(this::terminateRequested);
        }
        requested.put(run, supervisor);
    }

    /** Schedules SIGKILL for the tasks after the grace period, and for the supervisor after twice that. */
    void startEscalation(MonitoredRun run) {
        if (run.terminationLevel == TerminationLevel.NONE) {
            run.terminationLevel = TerminationLevel.TERMINATE_TASKS;
            Runnable kill = eventLoop.schedule(gracePeriod, () -> escalate(run, TerminationLevel.KILL_TASKS));
            Runnable killAll =
                    eventLoop.schedule(gracePeriod.multipliedBy(2), () -> escalate(run, TerminationLevel.KILL_ALL));
            run.cancelEscalation = () -> {
                kill.run();
                killAll.run();
            };
        }
    }

    private void escalate(MonitoredRun run, TerminationLevel level) {
        if (!run.finished) {
            LOG.info(
                    "Run {} of {} did not end within the grace period of {}; escalating to {}",
                    run.plan.uid(),
                    run.plan.execution(),
                    gracePeriod,
                    level);
            run.terminationLevel = level;
            monitor.check(run);
        }
    }

    private void terminateRequested() {
        Map<MonitoredRun, RunClaim.Supervisor> runs = new LinkedHashMap<>(requested);
        requested.clear();
        runs.keySet().removeIf(run -> run.finished);
        Set<MonitoredRun> supervised = new HashSet<>();
        List<RunQuery> queries = new ArrayList<>();
        runs.forEach((run, supervisor) -> {
            queries.add(new RunQuery(run.plan.uid(), supervisor));
            // Before the scan: otherwise a supervisor that exits in between looks like a leftover process.
            if (processTable.isAlive(supervisor)) {
                supervised.add(run);
            }
        });
        Map<String, List<RunProcess>> processes = queries.isEmpty() ? Map.of() : processTable.findProcesses(queries);
        for (MonitoredRun run : runs.keySet()) {
            terminate(run, supervised.contains(run), processes.getOrDefault(run.plan.uid(), List.of()));
        }
    }

    private void terminate(MonitoredRun run, boolean supervised, List<RunProcess> processes) {
        // Child processes of a dead supervisor must end too: they would continue with the next task.
        List<RunProcess> left = processes.stream()
                .filter(each ->
                        !each.isSupervisor() || !supervised || run.terminationLevel == TerminationLevel.KILL_ALL)
                .toList();
        if (left.isEmpty()) {
            if (supervised && !run.folder.hasFile(RunFolder.RESULT_FILE)) {
                startEscalation(run);
            }
            monitor.onTerminated(run, supervised);
            return;
        }
        startEscalation(run);
        logLeftovers(run, left);
        left.forEach(each -> signal(run, each, supervised));
        monitor.scheduleRecheck(run, RunMonitor.RECHECK_DELAY);
    }

    private static void signal(MonitoredRun run, RunProcess target, boolean supervised) {
        boolean orphanedSupervisorPart = target.isSupervisor() && !supervised;
        if (orphanedSupervisorPart || run.terminationLevel.compareTo(TerminationLevel.KILL_TASKS) >= 0) {
            target.process().destroyForcibly();
        } else if (run.signalledPids.add(target.process().pid())) {
            target.process().destroy();
        }
    }

    /** Writes to the run's output which background processes the ended tasks have left. */
    private static void logLeftovers(MonitoredRun run, List<RunProcess> left) {
        boolean endedByItself = run.folder.hasFile(RunFolder.OVER_FILE) || run.folder.hasFile(RunFolder.RESULT_FILE);
        if (run.leftoversLogged || !endedByItself || left.stream().allMatch(RunProcess::isSupervisor)) {
            return;
        }
        run.leftoversLogged = true;
        String names = left.stream()
                .filter(each -> !each.isSupervisor())
                .map(RunProcess::process)
                .map(process -> process.pid()
                        + process.info().command().map(name -> " " + name).orElse(""))
                .limit(10)
                .collect(Collectors.joining(", "));
        try {
            String text = "the tasks left processes running, which are now terminated: " + names;
            run.folder.log().append("[escapement: " + text + "]");
        } catch (IOException unwritable) {
            LOG.warn("Run {} left processes running: {}", run.plan.uid(), names, unwritable);
        }
    }
}
