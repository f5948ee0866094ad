package dev.escapement.process;

import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.ledger.ExecutionRef;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** What is there once for all runs of a server: their folder, its lock, and whoever looks after them. */
record Station(
        RunsFolder runs,
        FolderLock lock,
        ProcessTable processes,
        Launcher launcher,
        Loop loop,
        FolderWatch watch,
        Retention retention,
        Lives lives,
        RandomGenerator random)
        implements AutoCloseable {

    private static final Duration TRIM_EVERY = Duration.ofHours(1);

    static Station open(
            RunnerSettings settings,
            Boot boot,
            Map<String, String> environment,
            InstantSource clock,
            RandomGenerator random,
            Consumer<ExecutionRef> changed)
            throws IOException {
        Path path = settings.data().toAbsolutePath().resolve("runs");
        RunsFolder runs = new RunsFolder(path);
        runs.create();
        FolderLock lock = FolderLock.of(path);
        try {
            ProcessTable processes = ProcessTable.ofThisMachine(boot);
            Launcher launcher = Launcher.in(path, environment, boot, settings.logLimit());
            FolderWatch watch = new FolderWatch(FileSystems.getDefault().newWatchService());
            Loop loop = new Loop();
            Retention retention = new Retention(runs, settings, clock, random);
            Lives lives = new Lives(
                    processes, loop, watch, settings.grace(), clock, random, run -> retention.ended(run.key), changed);
            loop.every(TRIM_EVERY, retention::trim);
            return new Station(runs, lock, processes, launcher, loop, watch, retention, lives, random);
        } catch (IOException unusable) {
            lock.close();
            throw unusable;
        }
    }

    /** Lets a run go. Returns whether it was this call that did. */
    boolean start(String key, RunFolder folder, Optional<Instant> leaseUntil, long epoch) throws IOException {
        Optional<Plan> plan = folder.plan();
        if (plan.isEmpty() || folder.claim().isPresent()) {
            return false;
        }
        // Before it starts: nothing of it may be missed.
        LiveRun run = lives.adopt(key, folder, plan.get());
        synchronized (run) {
            Optional<Process> supervisor;
            try {
                supervisor = launcher.launch(folder, plan.get().uid(), leaseUntil, epoch);
            } catch (IOException notBegun) {
                lives.drop(run);
                throw notBegun;
            }
            LiveRun watched = lives.adopt(key, folder, plan.get());
            supervisor.ifPresent(process -> lives.follow(watched, process.toHandle()));
            lives.lookSoon(watched);
            return supervisor.isPresent();
        }
    }

    /** How a run that has begun ended; empty while it has not. */
    Optional<Observation> ended(String key, Findings findings, Claim claim) throws IOException {
        if (lives.find(key).isPresent()) {
            return Optional.empty();
        }
        RunFolder folder = findings.folder();
        Optional<String> word = folder.result();
        Optional<Instant> at = folder.resultAt();
        if (word.isPresent() && at.isPresent()) {
            return Optional.of(findings.observation(word.get(), at.get()));
        }
        if (claim instanceof Claim.Supervisor supervisor) {
            find(key, folder, findings.plan(), supervisor);
            return Optional.empty();
        }
        folder.writeResult(Findings.LOST, Hex.nonce(random));
        return ended(key, findings, claim);
    }

    /** Looks after a run that has begun, whoever started it. */
    void find(String key, RunFolder folder, Plan plan, Claim.Supervisor supervisor) {
        LiveRun run = lives.adopt(key, folder, plan);
        ProcessHandle.of(supervisor.pid())
                .filter(process -> processes.isAlive(supervisor))
                .ifPresent(process -> lives.follow(run, process));
        lives.lookSoon(run);
    }

    void stop(String key, RunFolder folder, Stop stop) throws IOException {
        Optional<Claim> claim = folder.claim();
        Optional<Plan> plan = folder.plan();
        boolean going = claim.isPresent() && plan.isPresent() && !folder.has(RunFolder.RESULT);
        if (going && claim.get() instanceof Claim.Supervisor supervisor) {
            folder.requestStop(stop, Hex.nonce(random));
            find(key, folder, plan.get(), supervisor);
        }
    }

    /** Removes a run that has not begun. Returns whether it was this call that did. */
    boolean remove(String key, RunFolder folder) throws IOException {
        boolean removed = folder.claimForRemoval();
        if (removed) {
            lives.find(key).ifPresent(lives::drop);
            runs.remove(key, Hex.nonce(random));
        }
        return removed;
    }

    @Override
    public void close() {
        loop.close();
        watch.close();
        lock.close();
    }
}
