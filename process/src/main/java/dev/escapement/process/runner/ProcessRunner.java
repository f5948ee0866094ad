package dev.escapement.process.runner;

import static java.util.Objects.requireNonNull;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.process.os.BootId;
import dev.escapement.process.os.ProgramLookup;
import dev.escapement.process.os.TaskEnvironment;
import dev.escapement.process.run.Digests;
import dev.escapement.process.run.OutputLog;
import dev.escapement.process.run.RunFolder;
import dev.escapement.process.run.RunName;
import dev.escapement.process.run.RunOwner;
import dev.escapement.process.run.RunPlan;
import dev.escapement.process.run.RunResultReader;
import dev.escapement.process.run.StopReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Runs workflows as processes of this machine. A run is a folder; whoever makes the link {@code begun} in it is the one
 * who runs or removes it, so that it starts at most once whatever crashes (see {@code supervisor.sh}). Its supervisor
 * outlives this program, and {@link #recover} finds it again.
 *
 * <p>Nothing is forced to the disk. After the death of this program nothing is lost. After a power loss a run that may
 * have begun is lost, which counts as having run, and never begins a second time: see {@link BootId}.
 *
 * <p>Safe for use by several threads.
 */
public final class ProcessRunner implements RunnerService {

    private static final int LOCK_COUNT = 64;

    private final List<Object> locks =
            Stream.generate(Object::new).limit(LOCK_COUNT).toList();
    private final RunnerSettings settings;
    private final ServerLeaseView leases;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final BootId bootId;
    private final RunSupervision supervision;
    private final RunPreparer preparer;

    private ProcessRunner(
            RunnerSettings settings,
            Catalogue catalogue,
            ServerLeaseView fleet,
            Consumer<ExecutionRef> changed,
            InstantSource clock,
            RandomGenerator random,
            Map<String, String> environment)
            throws IOException {
        this.settings = settings;
        this.leases = requireNonNull(fleet, "fleet is null");
        this.clock = clock;
        this.random = random;
        this.bootId = BootId.current();
        Map<String, String> clean = TaskEnvironment.filter(environment);
        this.supervision = RunSupervision.open(settings, bootId, clean, clock, random, changed);
        ProgramLookup programs = new ProgramLookup(clean.getOrDefault("PATH", ""));
        this.preparer =
                new RunPreparer(supervision.folders(), settings.serverId(), catalogue, programs, bootId, clock, random);
    }

    /**
     * Opens the runs below a data folder. Call {@link #recover} before anything else.
     *
     * @param changed called soon after a run went on to its next task or ended; perhaps for nothing. It must not block
     * @param random for names that nobody else makes
     * @param environment of the server; tasks see only the few variables of it that every program needs
     * @throws IOException if the folder cannot be used, or another server uses it
     */
    public static ProcessRunner open(
            RunnerSettings settings,
            Catalogue catalogue,
            ServerLeaseView fleet,
            Consumer<ExecutionRef> changed,
            InstantSource clock,
            RandomGenerator random,
            Map<String, String> environment)
            throws IOException {
        return new ProcessRunner(settings, catalogue, fleet, changed, clock, random, environment);
    }

    /**
     * Finds the runs again that were going on when the server before this one ended, keeps their deadlines, and ends
     * what was left of runs that are over.
     */
    @Override
    public int recover(Predicate<ExecutionRef> ours) {
        return callIo(() -> new RunRecovery(supervision, bootId, random, clock, settings.keepFor(), ours).recover());
    }

    @Override
    public Preparation prepare(Execution execution) {
        return withLock(folderKey(execution.ref()), () -> preparer.prepare(execution));
    }

    @Override
    public boolean start(RunRef run, String version, long epoch) {
        return withLock(RunName.of(run).key(), () -> {
            Optional<RunFolder> folder =
                    findOwnFolder(run).filter(found -> version.equals(RunPreparer.SUSPENDED_VERSION));
            Optional<Instant> lease = leases.leaseUntil().get();
            // Who has no lease lets nothing go; the run stays as it is, for when there is one again.
            boolean lapsed = lease.filter(end -> !end.isAfter(clock.instant())).isPresent();
            return folder.isPresent()
                    && !lapsed
                    && bootId.isBootOf(run.uid())
                    && supervision.start(RunName.of(run).key(), folder.get(), lease, epoch);
        });
    }

    @Override
    public Observation observe(RunRef run) {
        RunName name = RunName.of(run);
        return isOwn(name) ? callIo(() -> observeOwn(name, run)) : observeOnOtherServer(name);
    }

    private Observation observeOnOtherServer(RunName name) {
        if (!leases.isGone().test(name.serverId())) {
            return new Observation.Running(RunProgress.UNKNOWN);
        }
        return new Observation.Failed(RunFacts.of(RunEnd.LOST, clock.instant())
                .withReason("ServerLost", "server " + name.serverId() + ", which ran it, is gone"));
    }

    private Observation observeOwn(RunName name, RunRef run) throws IOException {
        Optional<RunFolder> folder = findOwnFolder(run);
        if (folder.isEmpty()) {
            return new Observation.Missing();
        }
        Optional<RunPlan> plan = folder.get().readPlan();
        Optional<RunOwner> claim = folder.get().owner();
        if (plan.isEmpty() || claim.filter(RunOwner.Removed.class::isInstance).isPresent()) {
            return new Observation.Missing();
        }
        RunResultReader findings = new RunResultReader(folder.get(), plan.get(), bootId.isBootOf(run.uid()));
        if (claim.isEmpty()) {
            return findings.trusted()
                    ? new Observation.Suspended(RunPreparer.SUSPENDED_VERSION)
                    : findings.toObservation(RunResultReader.LOST_RESULT, clock.instant());
        }
        Optional<Observation> ended = supervision.observeEnd(name.key(), findings, claim.get());
        return ended.isPresent()
                ? ended.get()
                : new Observation.Running(plan.get()
                        .progress(folder.get().countStartedTasks(0, plan.get().taskCount())));
    }

    @Override
    public void stop(RunRef run, String by) {
        callIo(() -> {
            Optional<RunFolder> folder = findOwnFolder(run);
            if (folder.isPresent()) {
                supervision.stop(RunName.of(run).key(), folder.get(), StopReason.cancelled(by));
            }
            return folder;
        });
    }

    @Override
    public boolean remove(RunRef run, String version) {
        return withLock(RunName.of(run).key(), () -> {
            Optional<RunFolder> folder =
                    findOwnFolder(run).filter(found -> version.equals(RunPreparer.SUSPENDED_VERSION));
            return folder.isPresent()
                    && supervision.removeUnstarted(RunName.of(run).key(), folder.get());
        });
    }

    @Override
    public void removeSuspended(ExecutionRef execution) {
        String key = folderKey(execution);
        withLock(
                key,
                () -> supervision.removeUnstarted(key, supervision.folders().folder(key)));
    }

    /**
     * Removes what was kept of an execution that was deleted: its run, if it has ended or not begun. One that is going
     * on is left alone; it is removed some time after its end, as all are.
     */
    @Override
    public void deleteRunData(ExecutionRef execution) {
        removeSuspended(execution);
        String key = folderKey(execution);
        withLock(key, () -> {
            boolean ended = supervision.monitor().find(key).isEmpty()
                    && supervision.folders().folder(key).hasFile(RunFolder.RESULT_FILE);
            if (ended) {
                supervision.folders().remove(key, Digests.randomNonce(random));
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
            // First whether it has ended, then the text: the other way round the last words could be missed.
            boolean ended = supervision.monitor().find(RunName.of(run).key()).isEmpty()
                    && folder.get().hasFile(RunFolder.RESULT_FILE);
            return new OutputLog(folder.get().path().resolve(RunFolder.LOG_FILE)).read(from, limit, ended);
        });
    }

    /** The id of the server that has a run, and its output. */
    public static String serverIdOf(RunRef run) {
        return RunName.of(run).serverId();
    }

    /** How many runs are being looked after. */
    public int activeRunCount() {
        return supervision.monitor().count();
    }

    /** The folder of a run of this server, if it is still that very run. */
    private Optional<RunFolder> findOwnFolder(RunRef run) throws IOException {
        RunName name = RunName.of(run);
        if (!isOwn(name)) {
            return Optional.empty();
        }
        RunFolder folder = supervision.folders().folder(name.key());
        return folder.readPlan().filter(plan -> plan.uid().equals(run.uid())).map(plan -> folder);
    }

    private String folderKey(ExecutionRef execution) {
        return RunName.of(settings.serverId(), execution.uid()).key();
    }

    private boolean isOwn(RunName name) {
        return name.serverId().equals(settings.serverId());
    }

    /** Stops looking after runs. They go on. */
    @Override
    public void close() {
        supervision.close();
    }

    private interface IoCall<T> {
        T get() throws IOException;
    }

    /**
     * A folder is known by its name only: whoever looked at one that has not begun, and then removes it or lets it go,
     * would do so to the next one of that name. What has begun nobody replaces.
     */
    private <T> T withLock(String key, IoCall<T> access) {
        synchronized (locks.get(Math.floorMod(key.hashCode(), LOCK_COUNT))) {
            return callIo(access);
        }
    }

    private static <T> T callIo(IoCall<T> access) {
        try {
            return access.get();
        } catch (IOException failed) {
            throw new UncheckedIOException("the runs cannot be reached: " + failed.getMessage(), failed);
        }
    }
}
