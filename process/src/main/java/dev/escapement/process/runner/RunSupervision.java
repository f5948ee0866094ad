package dev.escapement.process.runner;

import dev.escapement.common.ProcessLock;
import dev.escapement.engine.port.WorkflowRunner.Observation;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.monitor.EventLoop;
import dev.escapement.process.monitor.MonitoredRun;
import dev.escapement.process.monitor.RunFolderWatcher;
import dev.escapement.process.monitor.RunMonitor;
import dev.escapement.process.os.BootId;
import dev.escapement.process.os.ProcessTable;
import dev.escapement.process.os.TaskEnvironment;
import dev.escapement.process.run.RunClaim;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunFolder.StopReason;
import dev.escapement.process.run.RunFolderStore;
import dev.escapement.process.run.RunPlan;
import dev.escapement.process.run.RunResultReader;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** What all runs of a server share: its settings, clock and boot, the folders and their lock, and the services. */
record RunSupervision(
        RunnerSettings settings,
        BootId bootId,
        InstantSource clock,
        RunFolderStore folders,
        ProcessLock lock,
        ProcessTable processTable,
        SupervisorLauncher launcher,
        EventLoop eventLoop,
        RunFolderWatcher folderWatcher,
        RunFolderRetention retention,
        RunMonitor monitor)
        implements AutoCloseable {

    private static final Duration TRIM_INTERVAL = Duration.ofHours(1);

    static RunSupervision open(
            RunnerSettings settings,
            TaskEnvironment environment,
            InstantSource clock,
            RandomGenerator random,
            Consumer<ExecutionRef> onChanged)
            throws IOException {
        Path path = settings.dataFolder().toAbsolutePath().resolve("runs");
        BootId bootId = BootId.current();
        RunFolderStore folders = new RunFolderStore(path, random);
        folders.initialize();
        ProcessLock lock = ProcessLock.tryAcquire(path.resolve(".lock"))
                .orElseThrow(() -> new IOException(
                        path + " is in use by another server: use a separate data folder for each server"));
        try {
            ProcessTable processTable = ProcessTable.forThisMachine(bootId);
            SupervisorLauncher launcher = SupervisorLauncher.install(path, environment, bootId, settings.logLimit());
            RunFolderWatcher watcher =
                    new RunFolderWatcher(FileSystems.getDefault().newWatchService());
            EventLoop loop = new EventLoop();
            RunFolderRetention retention = new RunFolderRetention(folders, settings, clock);
            RunMonitor monitor = new RunMonitor(
                    processTable,
                    loop,
                    watcher,
                    settings.stopGracePeriod(),
                    clock,
                    run -> retention.addEnded(run.folder.key()),
                    onChanged);
            loop.scheduleRepeatedly(TRIM_INTERVAL, retention::trim);
            return new RunSupervision(
                    settings, bootId, clock, folders, lock, processTable, launcher, loop, watcher, retention, monitor);
        } catch (IOException unusable) {
            lock.close();
            throw unusable;
        }
    }

    /** Starts a run. Returns whether this call started it. */
    boolean start(RunFolder folder, Optional<Instant> leaseUntil, long epoch) throws IOException {
        Optional<RunPlan> plan = folder.readPlan();
        if (plan.isEmpty() || folder.owner().isPresent()) {
            return false;
        }
        // Before the start, so that no event is missed.
        MonitoredRun run = monitor.adopt(folder, plan.get());
        synchronized (run) {
            Optional<Process> supervisor;
            try {
                supervisor = launcher.launch(folder, plan.get().uid(), leaseUntil, epoch);
            } catch (IOException notStarted) {
                monitor.stopMonitoring(run);
                throw notStarted;
            }
            MonitoredRun monitored = monitor.adopt(folder, plan.get());
            supervisor.ifPresent(process -> monitor.checkOnExit(monitored, process.toHandle()));
            monitor.scheduleCheck(monitored);
            return supervisor.isPresent();
        }
    }

    /** Returns the result of a started run; empty while it is active. */
    Optional<Observation> observeEnd(RunResultReader reader, RunClaim owner) throws IOException {
        RunFolder folder = reader.folder();
        if (monitor.isMonitored(folder)) {
            return Optional.empty();
        }
        Optional<String> result = folder.result();
        Optional<Instant> at = folder.resultAt();
        if (result.isPresent() && at.isPresent()) {
            return Optional.of(reader.toObservation(result.get(), at.get()));
        }
        if (owner instanceof RunClaim.Supervisor supervisor) {
            adopt(folder, reader.plan(), supervisor);
            return Optional.empty();
        }
        folder.writeResult(RunResultReader.LOST_RESULT);
        return observeEnd(reader, owner);
    }

    /** Monitors a run that any server process has started. */
    void adopt(RunFolder folder, RunPlan plan, RunClaim.Supervisor supervisor) {
        MonitoredRun run = monitor.adopt(folder, plan);
        ProcessHandle.of(supervisor.pid())
                .filter(process -> processTable.isAlive(supervisor))
                .ifPresent(process -> monitor.checkOnExit(run, process));
        monitor.scheduleCheck(run);
    }

    void stop(RunFolder folder, StopReason reason) throws IOException {
        Optional<RunClaim> owner = folder.owner();
        Optional<RunPlan> plan = folder.readPlan();
        boolean active = owner.isPresent() && plan.isPresent() && !folder.hasFile(RunFolder.RESULT_FILE);
        if (active && owner.get() instanceof RunClaim.Supervisor supervisor) {
            folder.requestStop(reason);
            adopt(folder, plan.get(), supervisor);
        }
    }

    /** Returns whether a run has its result and none of its processes is left. */
    boolean hasEnded(RunFolder folder) {
        return !monitor.isMonitored(folder) && folder.hasFile(RunFolder.RESULT_FILE);
    }

    /** Removes a run that has not started. Returns whether this call removed it. */
    boolean removeUnstarted(RunFolder folder) throws IOException {
        boolean removed = folder.claimForRemoval();
        if (removed) {
            monitor.stopMonitoring(folder);
            folders.remove(folder.key());
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
