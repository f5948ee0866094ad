package dev.escapement.process;

import static java.util.Objects.requireNonNull;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.RunnerService;
import dev.escapement.governor.failure.RunEnd;
import dev.escapement.governor.failure.RunFacts;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.process.catalogue.Catalogue;
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
 * have begun is lost, which counts as having run, and never begins a second time: see {@link Boot}.
 *
 * <p>Safe for use by several threads.
 */
public final class ProcessRunner implements RunnerService {

    private static final int PLACES = 64;

    private final List<Object> places =
            Stream.generate(Object::new).limit(PLACES).toList();
    private final RunnerSettings settings;
    private final Fleet fleet;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Boot boot;
    private final Station station;
    private final Preparer preparer;

    private ProcessRunner(
            RunnerSettings settings,
            Catalogue catalogue,
            Fleet fleet,
            Consumer<ExecutionRef> changed,
            InstantSource clock,
            RandomGenerator random,
            Map<String, String> environment)
            throws IOException {
        this.settings = settings;
        this.fleet = requireNonNull(fleet, "fleet is null");
        this.clock = clock;
        this.random = random;
        this.boot = Boot.current();
        Map<String, String> clean = Environments.clean(environment);
        this.station = Station.open(settings, boot, clean, clock, random, changed);
        Programs programs = new Programs(clean.getOrDefault("PATH", ""));
        this.preparer = new Preparer(station.runs(), settings.serverId(), catalogue, programs, boot, clock, random);
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
            Fleet fleet,
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
        return io(() -> new Recovery(station, boot, random, clock, settings.keepFor(), ours).recover());
    }

    @Override
    public Preparation prepare(Execution execution) {
        return alone(key(execution.ref()), () -> preparer.prepare(execution));
    }

    @Override
    public boolean start(RunRef run, String version, long epoch) {
        return alone(RunName.of(run).key(), () -> {
            Optional<RunFolder> folder = own(run).filter(found -> version.equals(Preparer.SUSPENDED));
            Optional<Instant> lease = fleet.leaseUntil().get();
            // Who has no lease lets nothing go; the run stays as it is, for when there is one again.
            boolean lapsed = lease.filter(end -> !end.isAfter(clock.instant())).isPresent();
            return folder.isPresent()
                    && !lapsed
                    && boot.made(run.uid())
                    && station.start(RunName.of(run).key(), folder.get(), lease, epoch);
        });
    }

    @Override
    public Observation observe(RunRef run) {
        RunName name = RunName.of(run);
        return isHere(name) ? io(() -> observeHere(name, run)) : observeElsewhere(name);
    }

    private Observation observeElsewhere(RunName name) {
        if (!fleet.isGone().test(name.server())) {
            return new Observation.Running(RunProgress.UNKNOWN);
        }
        return new Observation.Failed(RunFacts.of(RunEnd.LOST, clock.instant())
                .withReason("ServerLost", "server " + name.server() + ", which ran it, is gone"));
    }

    private Observation observeHere(RunName name, RunRef run) throws IOException {
        Optional<RunFolder> folder = own(run);
        if (folder.isEmpty()) {
            return new Observation.Missing();
        }
        Optional<Plan> plan = folder.get().plan();
        Optional<Claim> claim = folder.get().claim();
        if (plan.isEmpty() || claim.filter(Claim.Removed.class::isInstance).isPresent()) {
            return new Observation.Missing();
        }
        Findings findings = new Findings(folder.get(), plan.get(), boot.made(run.uid()));
        if (claim.isEmpty()) {
            return findings.trusted()
                    ? new Observation.Suspended(Preparer.SUSPENDED)
                    : findings.observation(Findings.LOST, clock.instant());
        }
        Optional<Observation> ended = station.ended(name.key(), findings, claim.get());
        return ended.isPresent()
                ? ended.get()
                : new Observation.Running(
                        plan.get().progress(folder.get().begun(0, plan.get().total())));
    }

    @Override
    public void stop(RunRef run, String by) {
        io(() -> {
            Optional<RunFolder> folder = own(run);
            if (folder.isPresent()) {
                station.stop(RunName.of(run).key(), folder.get(), Stop.cancelled(by));
            }
            return folder;
        });
    }

    @Override
    public boolean remove(RunRef run, String version) {
        return alone(RunName.of(run).key(), () -> {
            Optional<RunFolder> folder = own(run).filter(found -> version.equals(Preparer.SUSPENDED));
            return folder.isPresent() && station.remove(RunName.of(run).key(), folder.get());
        });
    }

    @Override
    public void removeSuspended(ExecutionRef execution) {
        String key = key(execution);
        alone(key, () -> station.remove(key, station.runs().run(key)));
    }

    /**
     * Removes what was kept of an execution that was deleted: its run, if it has ended or not begun. One that is going
     * on is left alone; it is removed some time after its end, as all are.
     */
    @Override
    public void deleteRunData(ExecutionRef execution) {
        removeSuspended(execution);
        String key = key(execution);
        alone(key, () -> {
            boolean ended = station.lives().find(key).isEmpty()
                    && station.runs().run(key).has(RunFolder.RESULT);
            if (ended) {
                station.runs().remove(key, Hex.nonce(random));
            }
            return ended;
        });
    }

    @Override
    public Chunk read(RunRef run, long from, int limit) {
        return io(() -> {
            Optional<RunFolder> folder = own(run);
            if (folder.isEmpty()) {
                return new Chunk("", from, true);
            }
            // First whether it has ended, then the text: the other way round the last words could be missed.
            boolean ended = station.lives().find(RunName.of(run).key()).isEmpty()
                    && folder.get().has(RunFolder.RESULT);
            return new OutputLog(folder.get().path().resolve(RunFolder.LOG)).read(from, limit, ended);
        });
    }

    /** The id of the server that has a run, and its output. */
    public static String serverOf(RunRef run) {
        return RunName.of(run).server();
    }

    /** How many runs are being looked after. */
    public int going() {
        return station.lives().count();
    }

    /** The folder of a run of this server, if it is still that very run. */
    private Optional<RunFolder> own(RunRef run) throws IOException {
        RunName name = RunName.of(run);
        if (!isHere(name)) {
            return Optional.empty();
        }
        RunFolder folder = station.runs().run(name.key());
        return folder.plan().filter(plan -> plan.uid().equals(run.uid())).map(plan -> folder);
    }

    private String key(ExecutionRef execution) {
        return RunName.of(settings.serverId(), execution.uid()).key();
    }

    private boolean isHere(RunName name) {
        return name.server().equals(settings.serverId());
    }

    /** Stops looking after runs. They go on. */
    @Override
    public void close() {
        station.close();
    }

    private interface Access<T> {
        T get() throws IOException;
    }

    /**
     * A folder is known by its name only: whoever looked at one that has not begun, and then removes it or lets it go,
     * would do so to the next one of that name. What has begun nobody replaces.
     */
    private <T> T alone(String key, Access<T> access) {
        synchronized (places.get(Math.floorMod(key.hashCode(), PLACES))) {
            return io(access);
        }
    }

    private static <T> T io(Access<T> access) {
        try {
            return access.get();
        } catch (IOException failed) {
            throw new UncheckedIOException("the runs cannot be reached: " + failed.getMessage(), failed);
        }
    }
}
