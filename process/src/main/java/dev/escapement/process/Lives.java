package dev.escapement.process;

import dev.escapement.governor.ledger.ExecutionRef;
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
final class Lives {

    private static final Logger LOG = LoggerFactory.getLogger(Lives.class);
    private static final Duration SOON = Duration.ofMillis(100);
    private static final Duration AFTER_TROUBLE = Duration.ofSeconds(1);

    private final Map<String, LiveRun> runs = new ConcurrentHashMap<>();
    private final ProcessTable processes;
    private final Loop loop;
    private final FolderWatch watch;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Consumer<LiveRun> ended;
    private final Consumer<ExecutionRef> changed;
    private final Sweep sweep;

    Lives(
            ProcessTable processes,
            Loop loop,
            FolderWatch watch,
            Duration grace,
            InstantSource clock,
            RandomGenerator random,
            Consumer<LiveRun> ended,
            Consumer<ExecutionRef> changed) {
        this.processes = processes;
        this.loop = loop;
        this.watch = watch;
        this.clock = clock;
        this.random = random;
        this.ended = ended;
        this.changed = changed;
        this.sweep = new Sweep(processes, loop, grace, this::afterSweep, this::look);
    }

    Optional<LiveRun> find(String key) {
        return Optional.ofNullable(runs.get(key));
    }

    int count() {
        return runs.size();
    }

    /** Looks after a run from now on; before it is started, so that nothing of it is missed. */
    LiveRun adopt(String key, RunFolder folder, Plan plan) {
        return runs.computeIfAbsent(key, absent -> {
            LiveRun run = new LiveRun(key, folder, plan);
            try {
                run.unwatch = watch.watch(folder.path(), () -> lookSoon(run));
            } catch (IOException noMoreWatches) {
                LOG.warn(
                        "run {} is not watched, only looked at now and then: {}", plan.uid(), noMoreWatches.toString());
                lookNowAndThen(run);
            }
            return run;
        });
    }

    private void lookNowAndThen(LiveRun run) {
        run.unwatch = loop.after(AFTER_TROUBLE, () -> {
            look(run);
            if (!run.finished) {
                lookNowAndThen(run);
            }
        });
    }

    /** No longer looks after a run that could not be started. */
    void drop(LiveRun run) {
        runs.remove(run.key, run);
        run.letGo();
    }

    /** Looks as soon as the process ends. */
    void follow(LiveRun run, ProcessHandle supervisor) {
        run.exit = supervisor.onExit().thenRun(() -> lookSoon(run));
    }

    void lookSoon(LiveRun run) {
        loop.execute(() -> look(run));
    }

    private void look(LiveRun run) {
        if (run.finished) {
            return;
        }
        try {
            Optional<Claim> claim = run.folder.claim();
            if (claim.isPresent() && claim.get() instanceof Claim.Supervisor supervisor) {
                look(run, supervisor);
            }
        } catch (IOException unreadable) {
            LOG.warn("run {} cannot be looked at; again in {}", run.plan.uid(), AFTER_TROUBLE, unreadable);
            again(run, AFTER_TROUBLE);
        }
    }

    private void look(LiveRun run, Claim.Supervisor supervisor) throws IOException {
        int begun = run.folder.begun(run.begun, run.plan.total());
        boolean further = begun > Math.max(1, run.begun);
        run.begun = begun;
        if (further) {
            tell(run);
        }
        boolean alive = processes.isAlive(supervisor);
        boolean ended = run.folder.has(RunFolder.RESULT);
        boolean over = ended || run.folder.has(RunFolder.OVER);
        if (!over) {
            keepDeadline(run, supervisor);
        }
        if (ended || !alive || run.folder.stop().isPresent() || (over && run.hadItsMoment)) {
            sweep.request(run, supervisor);
        } else if (over && run.force == LiveRun.Force.NONE) {
            sweep.press(run);
            giveAMoment(run);
        }
    }

    /** Whoever holds the log open after the last task may end by itself. */
    private void giveAMoment(LiveRun run) {
        run.cancelAgain = loop.after(SOON, () -> {
            run.hadItsMoment = true;
            look(run);
        });
    }

    private void keepDeadline(LiveRun run, Claim.Supervisor supervisor) throws IOException {
        Deadline first = Deadline.of(run, supervisor);
        Instant now = clock.instant();
        run.cancelDeadline.run();
        if (first.at().isAfter(now)) {
            run.cancelDeadline = loop.after(Duration.between(now, first.at()), () -> look(run));
        } else if (run.folder.requestStop(first.stop(), Hex.nonce(random))) {
            LOG.info(
                    "run {} of {}: {}",
                    run.plan.uid(),
                    run.plan.execution(),
                    first.stop().message());
        }
    }

    private void again(LiveRun run, Duration delay) {
        run.cancelAgain.run();
        run.cancelAgain = loop.after(delay, () -> look(run));
    }

    /** Nothing of it is left but perhaps its supervisor. */
    private void afterSweep(LiveRun run, boolean supervisorLives) {
        try {
            if (run.folder.has(RunFolder.RESULT)) {
                finish(run);
            } else if (supervisorLives) {
                again(run, SOON);
            } else {
                String word = run.folder.over().orElse(Findings.LOST);
                run.folder.writeResult(word, Hex.nonce(random));
                finish(run);
            }
        } catch (IOException unwritable) {
            LOG.warn("the end of run {} cannot be recorded; again in {}", run.plan.uid(), AFTER_TROUBLE, unwritable);
            again(run, AFTER_TROUBLE);
        }
    }

    private void finish(LiveRun run) {
        drop(run);
        ended.accept(run);
        tell(run);
    }

    private void tell(LiveRun run) {
        try {
            changed.accept(run.plan.execution());
        } catch (RuntimeException deaf) {
            // Whoever listens may fail; the run is looked after all the same.
            LOG.error("nobody could be told that run {} has changed", run.plan.uid(), deaf);
        }
    }
}
