package dev.escapement.process.monitor;

import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.os.ProcessTable;
import dev.escapement.process.run.RunClaim;
import dev.escapement.process.run.RunClaim.Supervisor;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunPlan;
import dev.escapement.process.run.RunResultReader;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitors the active runs: detects started tasks, enforces deadlines, terminates processes and notifies of changes. A
 * run is removed when it has its result and none of its processes is left; only then it counts as ended.
 */
public final class RunMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(RunMonitor.class);
    static final Duration RECHECK_DELAY = Duration.ofMillis(100);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final Map<String, MonitoredRun> runs = new ConcurrentHashMap<>();
    private final ProcessTable processTable;
    private final EventLoop eventLoop;
    private final RunFolderWatcher folderWatcher;
    private final InstantSource clock;
    private final Consumer<MonitoredRun> onEnded;
    private final Consumer<ExecutionRef> onChanged;
    private final ProcessTerminator terminator;

    public RunMonitor(
            ProcessTable processTable,
            EventLoop eventLoop,
            RunFolderWatcher folderWatcher,
            Duration gracePeriod,
            InstantSource clock,
            Consumer<MonitoredRun> onEnded,
            Consumer<ExecutionRef> onChanged) {
        this.processTable = processTable;
        this.eventLoop = eventLoop;
        this.folderWatcher = folderWatcher;
        this.clock = clock;
        this.onEnded = onEnded;
        this.onChanged = onChanged;
        this.terminator = new ProcessTerminator(processTable, eventLoop, gracePeriod, this);
    }

    public boolean isMonitored(RunFolder folder) {
        return runs.containsKey(folder.key());
    }

    /** Stops monitoring a run, if it is monitored. */
    public void stopMonitoring(RunFolder folder) {
        Optional.ofNullable(runs.get(folder.key())).ifPresent(this::stopMonitoring);
    }

    public int count() {
        return runs.size();
    }

    /** Starts monitoring a run; does nothing if it is monitored already. */
    public MonitoredRun adopt(RunFolder folder, RunPlan plan) {
        return runs.computeIfAbsent(folder.key(), absent -> {
            MonitoredRun run = new MonitoredRun(folder, plan);
            try {
                run.cancelWatch = folderWatcher.watch(folder.path(), () -> scheduleCheck(run));
            } catch (IOException failed) {
                LOG.warn("Cannot watch the folder of run {}; polling it instead: {}", plan.uid(), failed.toString());
                pollPeriodically(run);
            }
            return run;
        });
    }

    private void pollPeriodically(MonitoredRun run) {
        run.cancelWatch = eventLoop.schedule(RETRY_DELAY, () -> {
            check(run);
            if (!run.finished) {
                pollPeriodically(run);
            }
        });
    }

    public void stopMonitoring(MonitoredRun run) {
        runs.remove(run.folder.key(), run);
        run.release();
    }

    public void checkOnExit(MonitoredRun run, ProcessHandle supervisor) {
        run.supervisorExit = supervisor.onExit().thenRun(() -> scheduleCheck(run));
    }

    public void scheduleCheck(MonitoredRun run) {
        eventLoop.execute(() -> check(run));
    }

    void check(MonitoredRun run) {
        if (run.finished) {
            return;
        }
        try {
            Optional<RunClaim> owner = run.folder.owner();
            if (owner.isPresent() && owner.get() instanceof Supervisor supervisor) {
                check(run, supervisor);
            }
        } catch (IOException failed) {
            LOG.warn("Checking run {} failed; retrying in {}", run.plan.uid(), RETRY_DELAY, failed);
            scheduleRecheck(run, RETRY_DELAY);
        }
    }

    private void check(MonitoredRun run, Supervisor supervisor) throws IOException {
        int started = run.folder.countStartedTasks(run.startedTasks, run.plan.taskCount());
        boolean nextTaskStarted = started > Math.max(1, run.startedTasks);
        run.startedTasks = started;
        if (nextTaskStarted) {
            notifyChanged(run);
        }
        boolean alive = processTable.isAlive(supervisor);
        boolean hasResult = run.folder.hasFile(RunFolder.RESULT_FILE);
        boolean tasksEnded = hasResult || run.folder.hasFile(RunFolder.OVER_FILE);
        if (!tasksEnded) {
            enforceDeadline(run, supervisor);
        }
        if (hasResult || !alive || run.folder.stopReason().isPresent() || (tasksEnded && run.recheckDelayElapsed)) {
            terminator.request(run, supervisor);
        } else if (tasksEnded && run.terminationLevel == MonitoredRun.TerminationLevel.NONE) {
            terminator.startEscalation(run);
            // Gives a process that still holds the log open after the last task a moment to end by itself.
            run.cancelRecheck = eventLoop.schedule(RECHECK_DELAY, () -> {
                run.recheckDelayElapsed = true;
                check(run);
            });
        }
    }

    private void enforceDeadline(MonitoredRun run, Supervisor supervisor) throws IOException {
        MonitoredRun.RunDeadline deadline = run.deadline(supervisor);
        Instant now = clock.instant();
        run.cancelDeadline.run();
        if (deadline.expiresAt().isAfter(now)) {
            run.cancelDeadline = eventLoop.schedule(Duration.between(now, deadline.expiresAt()), () -> check(run));
        } else if (run.folder.requestStop(deadline.stopReason())) {
            String reason = deadline.stopReason().message();
            LOG.info("Stopping run {} of {}: {}", run.plan.uid(), run.plan.execution(), reason);
        }
    }

    void scheduleRecheck(MonitoredRun run, Duration delay) {
        run.cancelRecheck.run();
        run.cancelRecheck = eventLoop.schedule(delay, () -> check(run));
    }

    /** Called when no task process of the run is left. */
    void onTerminated(MonitoredRun run, boolean supervisorAlive) {
        try {
            if (run.folder.hasFile(RunFolder.RESULT_FILE)) {
                finish(run);
            } else if (supervisorAlive) {
                scheduleRecheck(run, RECHECK_DELAY);
            } else {
                run.folder.writeResult(run.folder.preliminaryResult().orElse(RunResultReader.LOST_RESULT));
                finish(run);
            }
        } catch (IOException failed) {
            LOG.warn("Recording the result of run {} failed; retrying in {}", run.plan.uid(), RETRY_DELAY, failed);
            scheduleRecheck(run, RETRY_DELAY);
        }
    }

    private void finish(MonitoredRun run) {
        stopMonitoring(run);
        onEnded.accept(run);
        notifyChanged(run);
    }

    private void notifyChanged(MonitoredRun run) {
        try {
            onChanged.accept(run.plan.execution());
        } catch (RuntimeException failed) {
            LOG.error("Run listener failed for run {}", run.plan.uid(), failed);
        }
    }
}
