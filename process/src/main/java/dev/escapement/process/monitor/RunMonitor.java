package dev.escapement.process.monitor;

import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.os.ProcessTable;
import dev.escapement.process.run.Digests;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunOwner;
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
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the runs that are going: sees their tasks begin, keeps their deadlines, ends what must end, and says so.
 * A run leaves here when it has its result and no process of it is left; only then others may take it for ended.
 */
public final class RunMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(RunMonitor.class);
    private static final Duration RECHECK_DELAY = Duration.ofMillis(100);
    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

    private final Map<String, MonitoredRun> runs = new ConcurrentHashMap<>();
    private final ProcessTable processTable;
    private final EventLoop eventLoop;
    private final RunFolderWatcher folderWatcher;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Consumer<MonitoredRun> onEnded;
    private final Consumer<ExecutionRef> onChanged;
    private final ProcessTerminator terminator;

    public RunMonitor(
            ProcessTable processes,
            EventLoop loop,
            RunFolderWatcher watch,
            Duration grace,
            InstantSource clock,
            RandomGenerator random,
            Consumer<MonitoredRun> ended,
            Consumer<ExecutionRef> changed) {
        this.processTable = processes;
        this.eventLoop = loop;
        this.folderWatcher = watch;
        this.clock = clock;
        this.random = random;
        this.onEnded = ended;
        this.onChanged = changed;
        this.terminator = new ProcessTerminator(processes, loop, grace, this::onTerminated, this::check);
    }

    public Optional<MonitoredRun> find(String key) {
        return Optional.ofNullable(runs.get(key));
    }

    public int count() {
        return runs.size();
    }

    /** Looks after a run from now on; before it is started, so that nothing of it is missed. */
    public MonitoredRun adopt(String key, RunFolder folder, RunPlan plan) {
        return runs.computeIfAbsent(key, absent -> {
            MonitoredRun run = new MonitoredRun(key, folder, plan);
            try {
                run.cancelWatch = folderWatcher.watch(folder.path(), () -> scheduleCheck(run));
            } catch (IOException noMoreWatches) {
                LOG.warn(
                        "run {} is not watched, only looked at now and then: {}", plan.uid(), noMoreWatches.toString());
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

    /** No longer looks after a run that could not be started. */
    public void stopMonitoring(MonitoredRun run) {
        runs.remove(run.key, run);
        run.release();
    }

    /** Looks as soon as the process ends. */
    public void checkOnExit(MonitoredRun run, ProcessHandle supervisor) {
        run.supervisorExit = supervisor.onExit().thenRun(() -> scheduleCheck(run));
    }

    public void scheduleCheck(MonitoredRun run) {
        eventLoop.execute(() -> check(run));
    }

    private void check(MonitoredRun run) {
        if (run.finished) {
            return;
        }
        try {
            Optional<RunOwner> claim = run.folder.owner();
            if (claim.isPresent() && claim.get() instanceof RunOwner.Supervisor supervisor) {
                check(run, supervisor);
            }
        } catch (IOException unreadable) {
            LOG.warn("run {} cannot be looked at; again in {}", run.plan.uid(), RETRY_DELAY, unreadable);
            scheduleRecheck(run, RETRY_DELAY);
        }
    }

    private void check(MonitoredRun run, RunOwner.Supervisor supervisor) throws IOException {
        int begun = run.folder.countStartedTasks(run.startedTasks, run.plan.taskCount());
        boolean further = begun > Math.max(1, run.startedTasks);
        run.startedTasks = begun;
        if (further) {
            notifyChanged(run);
        }
        boolean alive = processTable.isAlive(supervisor);
        boolean ended = run.folder.hasFile(RunFolder.RESULT_FILE);
        boolean over = ended || run.folder.hasFile(RunFolder.OVER_FILE);
        if (!over) {
            enforceDeadline(run, supervisor);
        }
        if (ended || !alive || run.folder.stopReason().isPresent() || (over && run.recheckDelayElapsed)) {
            terminator.request(run, supervisor);
        } else if (over && run.terminationLevel == MonitoredRun.TerminationLevel.NONE) {
            terminator.startEscalation(run);
            recheckAfterDelay(run);
        }
    }

    /** Whoever holds the log open after the last task may end by itself. */
    private void recheckAfterDelay(MonitoredRun run) {
        run.cancelRecheck = eventLoop.schedule(RECHECK_DELAY, () -> {
            run.recheckDelayElapsed = true;
            check(run);
        });
    }

    private void enforceDeadline(MonitoredRun run, RunOwner.Supervisor supervisor) throws IOException {
        RunDeadline first = RunDeadline.earliest(run, supervisor);
        Instant now = clock.instant();
        run.cancelDeadline.run();
        if (first.expiresAt().isAfter(now)) {
            run.cancelDeadline = eventLoop.schedule(Duration.between(now, first.expiresAt()), () -> check(run));
        } else if (run.folder.requestStop(first.stopReason(), Digests.randomNonce(random))) {
            LOG.info(
                    "run {} of {}: {}",
                    run.plan.uid(),
                    run.plan.execution(),
                    first.stopReason().message());
        }
    }

    private void scheduleRecheck(MonitoredRun run, Duration delay) {
        run.cancelRecheck.run();
        run.cancelRecheck = eventLoop.schedule(delay, () -> check(run));
    }

    /** Nothing of it is left but perhaps its supervisor. */
    private void onTerminated(MonitoredRun run, boolean supervisorLives) {
        try {
            if (run.folder.hasFile(RunFolder.RESULT_FILE)) {
                finish(run);
            } else if (supervisorLives) {
                scheduleRecheck(run, RECHECK_DELAY);
            } else {
                String word = run.folder.preliminaryResult().orElse(RunResultReader.LOST_RESULT);
                run.folder.writeResult(word, Digests.randomNonce(random));
                finish(run);
            }
        } catch (IOException unwritable) {
            LOG.warn("the end of run {} cannot be recorded; again in {}", run.plan.uid(), RETRY_DELAY, unwritable);
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
        } catch (RuntimeException deaf) {
            // Whoever listens may fail; the run is looked after all the same.
            LOG.error("nobody could be told that run {} has changed", run.plan.uid(), deaf);
        }
    }
}
