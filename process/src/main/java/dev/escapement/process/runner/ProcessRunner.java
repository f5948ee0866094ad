package dev.escapement.process.runner;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutorUnavailableException;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.process.os.BootId;
import dev.escapement.process.os.TaskEnvironment;
import dev.escapement.process.run.RunClaim;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunFolder.StopReason;
import dev.escapement.process.run.RunFolderStore.RunName;
import dev.escapement.process.run.RunPlan;
import dev.escapement.process.run.RunResultReader;
import dev.escapement.process.runner.RunnerSettings.ServerLeaseView;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Runs workflows as local processes. A run is a folder; the process that creates the link {@code begun} in it may start
 * or remove the run, so that it starts at most once in spite of crashes (see {@code supervisor.sh}). Its supervisor
 * outlives this server, and {@link #recover} finds it again.
 *
 * <p>Files are written without fsync. A crash of the server loses nothing. After a power failure a run that may have
 * started is lost, which counts as having run, and never starts a second time: see {@link BootId}.
 *
 * <p>Thread-safe.
 */
public final class ProcessRunner implements RunnerService {

    private static final int LOCK_COUNT = 64;

    private final List<Object> locks =
            Stream.generate(Object::new).limit(LOCK_COUNT).toList();
    private final ServerLeaseView leases;
    private final RunSupervision supervision;
    private final RunPreparer preparer;

    /**
     * Opens the runs in a data folder. Call {@link #recover} before anything else.
     *
     * @param onChanged called soon after a run started its next task or ended, sometimes without a change; must not
     *     block
     * @param random for unique file names
     * @param environment of the server; tasks inherit only the variables of {@link TaskEnvironment}
     * @throws IOException if the folder cannot be used, or another server uses it
     */
    public ProcessRunner(
            RunnerSettings settings,
            Catalogue catalogue,
            ServerLeaseView leases,
            Consumer<ExecutionRef> onChanged,
            InstantSource clock,
            RandomGenerator random,
            Map<String, String> environment)
            throws IOException {
        this.leases = leases;
        TaskEnvironment taskEnvironment = TaskEnvironment.of(environment);
        this.supervision = RunSupervision.open(settings, taskEnvironment, clock, random, onChanged);
        this.preparer = new RunPreparer(supervision, catalogue, taskEnvironment);
    }

    /**
     * Resumes monitoring of the runs that a previous server process started, enforces their deadlines, and terminates
     * leftover processes of ended runs.
     */
    @Override
    public int recover(Predicate<ExecutionRef> isOwned) {
        return callIo(() -> new RunRecovery(supervision, isOwned).recover());
    }

    @Override
    public List<ActiveRun> listActiveRuns() {
        return callIo(() -> {
            List<ActiveRun> active = new ArrayList<>();
            for (String key : supervision.folders().keys()) {
                findActive(supervision.folders().folder(key)).ifPresent(active::add);
            }
            return active;
        });
    }

    /** A run of an earlier boot is not active, and a plan of an earlier version does not name its target. */
    private Optional<ActiveRun> findActive(RunFolder folder) throws IOException {
        Optional<RunPlan> plan =
                folder.readPlan().filter(found -> supervision.bootId().isBootOf(found.uid()));
        Optional<String> workflowId = plan.flatMap(found -> Optional.ofNullable(found.workflowId()));
        Optional<String> target = plan.flatMap(found -> Optional.ofNullable(found.target()));
        Optional<RunClaim> owner = folder.owner();
        if (workflowId.isEmpty()
                || target.isEmpty()
                || folder.hasFile(RunFolder.RESULT_FILE)
                || owner.isEmpty()
                || !(owner.get() instanceof RunClaim.Supervisor supervisor)) {
            return Optional.empty();
        }
        RunName name = RunName.of(supervision.settings().serverId(), plan.get().executionUid());
        RunRef run = new RunRef(name.toString(), plan.get().uid());
        return Optional.of(
                new ActiveRun(plan.get().execution(), workflowId.get(), target.get(), run, supervisor.startedAt()));
    }

    @Override
    public Optional<String> validate(Execution execution) {
        return preparer.validate(execution);
    }

    @Override
    public Preparation prepare(Execution execution) {
        return withLock(folderOf(execution.ref()).key(), () -> preparer.prepare(execution));
    }

    @Override
    public boolean start(RunRef run, String version, long epoch) {
        return withLock(RunName.of(run).key(), () -> {
            Optional<RunFolder> folder = findSuspended(run, version);
            Optional<Instant> lease = leases.leaseUntil().get();
            // Without a lease nothing is started; the run stays suspended until the lease is renewed.
            boolean expired = lease.filter(
                            end -> !end.isAfter(supervision.clock().instant()))
                    .isPresent();
            return folder.isPresent()
                    && !expired
                    && supervision.bootId().isBootOf(run.uid())
                    && supervision.start(folder.get(), lease, epoch);
        });
    }

    @Override
    public Observation observe(RunRef run) {
        RunName name = RunName.of(run);
        return isOwn(name) ? callIo(() -> observeOwn(run)) : observeOnOtherServer(name);
    }

    private Observation observeOnOtherServer(RunName name) {
        if (!leases.isGone().test(name.serverId())) {
            return new Observation.Running(RunProgress.UNKNOWN);
        }
        return new Observation.Failed(RunFacts.of(
                        RunEnd.LOST, supervision.clock().instant())
                .withReason(
                        "ServerLost",
                        "server " + name.serverId() + ", which ran this run, is gone; the run may still be active"
                                + " there: check that it has ended before you clear the target"));
    }

    private Observation observeOwn(RunRef run) throws IOException {
        Optional<RunFolder> folder = findOwnFolder(run);
        if (folder.isEmpty()) {
            return new Observation.Missing();
        }
        Optional<RunPlan> plan = folder.get().readPlan();
        Optional<RunClaim> owner = folder.get().owner();
        if (plan.isEmpty() || owner.filter(RunClaim.Removed.class::isInstance).isPresent()) {
            return new Observation.Missing();
        }
        boolean trusted = supervision.bootId().isBootOf(run.uid());
        RunResultReader reader = new RunResultReader(folder.get(), plan.get(), trusted);
        if (owner.isEmpty()) {
            return trusted
                    ? new Observation.Suspended(RunPreparer.SUSPENDED_VERSION)
                    : reader.toObservation(
                            RunResultReader.LOST_RESULT, supervision.clock().instant());
        }
        Optional<Observation> ended = supervision.observeEnd(reader, owner.get());
        if (ended.isPresent()) {
            return ended.get();
        }
        int started = folder.get().countStartedTasks(0, plan.get().taskCount());
        return new Observation.Running(plan.get().progress(started));
    }

    @Override
    public void stop(RunRef run, String by) {
        callIo(() -> {
            Optional<RunFolder> folder = findOwnFolder(run);
            if (folder.isPresent()) {
                supervision.stop(folder.get(), StopReason.cancelled(by));
            }
            return folder;
        });
    }

    @Override
    public boolean remove(RunRef run, String version) {
        return withLock(RunName.of(run).key(), () -> {
            Optional<RunFolder> folder = findSuspended(run, version);
            return folder.isPresent() && supervision.removeUnstarted(folder.get());
        });
    }

    @Override
    public void removeSuspended(ExecutionRef execution) {
        RunFolder folder = folderOf(execution);
        withLock(folder.key(), () -> supervision.removeUnstarted(folder));
    }

    /** Removes the run folder of a deleted execution, unless the run is active: then retention removes it later. */
    @Override
    public void deleteRunData(ExecutionRef execution) {
        removeSuspended(execution);
        RunFolder folder = folderOf(execution);
        withLock(folder.key(), () -> {
            boolean ended = supervision.hasEnded(folder);
            if (ended) {
                supervision.folders().remove(folder.key());
            }
            return ended;
        });
    }

    @Override
    public Chunk read(RunRef run, long from, int limit) {
        return callIo(() -> {
            Optional<RunFolder> folder = findOwnFolder(run);
            if (folder.isEmpty()) {
                return new Chunk("", from, true);
            }
            // Before reading: otherwise output written in between could be missed.
            boolean ended = supervision.hasEnded(folder.get());
            return folder.get().log().read(from, limit, ended);
        });
    }

    /** Returns the id of the server that has the run and its output. */
    public static String serverIdOf(RunRef run) {
        return RunName.of(run).serverId();
    }

    public int activeRunCount() {
        return supervision.monitor().count();
    }

    /** Returns the folder of a run of this server, unless it belongs to another run of the same execution. */
    private Optional<RunFolder> findOwnFolder(RunRef run) throws IOException {
        RunName name = RunName.of(run);
        if (!isOwn(name)) {
            return Optional.empty();
        }
        RunFolder folder = supervision.folders().folder(name.key());
        return folder.readPlan().filter(plan -> plan.uid().equals(run.uid())).map(plan -> folder);
    }

    private Optional<RunFolder> findSuspended(RunRef run, String version) throws IOException {
        return findOwnFolder(run).filter(found -> version.equals(RunPreparer.SUSPENDED_VERSION));
    }

    private RunFolder folderOf(ExecutionRef execution) {
        RunName name = RunName.of(supervision.settings().serverId(), execution.uid());
        return supervision.folders().folder(name.key());
    }

    private boolean isOwn(RunName name) {
        return name.serverId().equals(supervision.settings().serverId());
    }

    /** Stops monitoring. The runs continue. */
    @Override
    public void close() {
        supervision.close();
    }

    private interface IoCall<T> {
        T get() throws IOException;
    }

    /** Until its run has started, a folder has only a name: between a check and a write it could be replaced. */
    private <T> T withLock(String key, IoCall<T> call) {
        synchronized (locks.get(Math.floorMod(key.hashCode(), LOCK_COUNT))) {
            return callIo(call);
        }
    }

    /** Folders that cannot be accessed are an executor that is unavailable: the engine limits how long it retries. */
    private <T> T callIo(IoCall<T> call) {
        try {
            return call.get();
        } catch (IOException failed) {
            throw new ExecutorUnavailableException(
                    "cannot access the run folders: " + failed.getMessage(),
                    supervision.clock().instant(),
                    failed);
        }
    }
}
