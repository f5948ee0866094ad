package dev.escapement.process.runner;

import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.monitor.EventLoop;
import dev.escapement.process.monitor.MonitoredRun;
import dev.escapement.process.monitor.RunFolderWatcher;
import dev.escapement.process.monitor.RunMonitor;
import dev.escapement.process.os.BootId;
import dev.escapement.process.os.FolderLock;
import dev.escapement.process.os.ProcessTable;
import dev.escapement.process.run.Digests;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunFolderStore;
import dev.escapement.process.run.RunOwner;
import dev.escapement.process.run.RunPlan;
import dev.escapement.process.run.RunResultReader;
import dev.escapement.process.run.StopReason;
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
record RunSupervision(
        RunFolderStore folders,
        FolderLock lock,
        ProcessTable processTable,
        SupervisorLauncher launcher,
        EventLoop eventLoop,
        RunFolderWatcher folderWatcher,
        RunFolderRetention retention,
        RunMonitor monitor,
        RandomGenerator random)
        implements AutoCloseable {

    private static final Duration TRIM_INTERVAL = Duration.ofHours(1);

    static RunSupervision open(
            RunnerSettings settings,
            BootId boot,
            Map<String, String> environment,
            InstantSource clock,
            RandomGenerator random,
            Consumer<ExecutionRef> changed)
            throws IOException {
        Path path = settings.dataFolder().toAbsolutePath().resolve("runs");
        RunFolderStore runs = new RunFolderStore(path);
        runs.initialize();
        FolderLock lock = FolderLock.acquire(path);
        try {
            ProcessTable processes = ProcessTable.forThisMachine(boot);
            SupervisorLauncher launcher = SupervisorLauncher.install(path, environment, boot, settings.logLimit());
            RunFolderWatcher watch =
                    new RunFolderWatcher(FileSystems.getDefault().newWatchService());
            EventLoop loop = new EventLoop();
            RunFolderRetention retention = new RunFolderRetention(runs, settings, clock, random);
            RunMonitor lives = new RunMonitor(
                    processes,
                    loop,
                    watch,
                    settings.stopGracePeriod(),
                    clock,
                    random,
                    run -> retention.addEnded(run.key),
                    changed);
            loop.scheduleRepeatedly(TRIM_INTERVAL, retention::trim);
            return new RunSupervision(runs, lock, processes, launcher, loop, watch, retention, lives, random);
        } catch (IOException unusable) {
            lock.close();
            throw unusable;
        }
    }

    /** Lets a run go. Returns whether it was this call that did. */
    boolean start(String key, RunFolder folder, Optional<Instant> leaseUntil, long epoch) throws IOException {
        Optional<RunPlan> plan = folder.readPlan();
        if (plan.isEmpty() || folder.owner().isPresent()) {
            return false;
        }
        // Before it starts: nothing of it may be missed.
        MonitoredRun run = monitor.adopt(key, folder, plan.get());
        synchronized (run) {
            Optional<Process> supervisor;
            try {
                supervisor = launcher.launch(folder, plan.get().uid(), leaseUntil, epoch);
            } catch (IOException notBegun) {
                monitor.stopMonitoring(run);
                throw notBegun;
            }
            MonitoredRun watched = monitor.adopt(key, folder, plan.get());
            supervisor.ifPresent(process -> monitor.checkOnExit(watched, process.toHandle()));
            monitor.scheduleCheck(watched);
            return supervisor.isPresent();
        }
    }

    /** How a run that has begun ended; empty while it has not. */
    Optional<Observation> observeEnd(String key, RunResultReader findings, RunOwner claim) throws IOException {
        if (monitor.find(key).isPresent()) {
            return Optional.empty();
        }
        RunFolder folder = findings.folder();
        Optional<String> word = folder.result();
        Optional<Instant> at = folder.resultAt();
        if (word.isPresent() && at.isPresent()) {
            return Optional.of(findings.toObservation(word.get(), at.get()));
        }
        if (claim instanceof RunOwner.Supervisor supervisor) {
            adopt(key, folder, findings.plan(), supervisor);
            return Optional.empty();
        }
        folder.writeResult(RunResultReader.LOST_RESULT, Digests.randomNonce(random));
        return observeEnd(key, findings, claim);
    }

    /** Looks after a run that has begun, whoever started it. */
    void adopt(String key, RunFolder folder, RunPlan plan, RunOwner.Supervisor supervisor) {
        MonitoredRun run = monitor.adopt(key, folder, plan);
        ProcessHandle.of(supervisor.pid())
                .filter(process -> processTable.isAlive(supervisor))
                .ifPresent(process -> monitor.checkOnExit(run, process));
        monitor.scheduleCheck(run);
    }

    void stop(String key, RunFolder folder, StopReason stop) throws IOException {
        Optional<RunOwner> claim = folder.owner();
        Optional<RunPlan> plan = folder.readPlan();
        boolean going = claim.isPresent() && plan.isPresent() && !folder.hasFile(RunFolder.RESULT_FILE);
        if (going && claim.get() instanceof RunOwner.Supervisor supervisor) {
            folder.requestStop(stop, Digests.randomNonce(random));
            adopt(key, folder, plan.get(), supervisor);
        }
    }

    /** Removes a run that has not begun. Returns whether it was this call that did. */
    boolean removeUnstarted(String key, RunFolder folder) throws IOException {
        boolean removed = folder.claimForRemoval();
        if (removed) {
            monitor.find(key).ifPresent(monitor::stopMonitoring);
            folders.remove(key, Digests.randomNonce(random));
        }
        return removed;
    }

    @Override
    public void close() {
        eventLoop.close();
        folderWatcher.close();
        lock.close();
    }
}
