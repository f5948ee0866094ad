package dev.escapement.engine.contract;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.Metadata;
import dev.escapement.engine.execution.Progress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.execution.Status;
import dev.escapement.engine.execution.WorkflowRef;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.Started;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.Outcome;
import dev.escapement.governor.ledger.Past;
import dev.escapement.testkit.Gen;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** An execution in any phase, with anything that its texts can hold. */
public final class AnyExecution {

    private final Gen gen;
    private final int number;
    private final boolean legal;

    private AnyExecution(Gen gen, int number, boolean legal) {
        this.gen = gen;
        this.number = number;
        this.legal = legal;
    }

    /** The number makes name and uid its own. */
    public static Execution of(Gen gen, int number) {
        return any(new AnyExecution(gen, number, false));
    }

    /** The same, as far as an API server accepts it. */
    public static Execution legal(Gen gen, int number) {
        return any(new AnyExecution(gen, number, true));
    }

    private static Execution any(AnyExecution any) {
        Metadata metadata = new Metadata(any.instant(), any.labels(), any.texts());
        return new Execution(any.ref(), metadata, any.spec(), Optional.empty(), Optional.empty(), any.status());
    }

    private ExecutionRef ref() {
        return new ExecutionRef("any", "any-" + number, "uid-any-" + number);
    }

    private ExecutionSpec spec() {
        ExecutionConfig config = new ExecutionConfig(
                maybe(() -> Duration.ofNanos(1 + gen.magnitude(1_000_000_000_000_000L))),
                legal ? gen.oneOf("", "robot") : text(),
                legal ? gen.oneOf("", "tekton", "job") : text());
        return new ExecutionSpec(
                legal ? legalWorkflow() : new WorkflowRef("w" + text(), text(), text(), text()),
                gen.oneOf(
                        "node/a",
                        legal ? "shop/Deployment/x" : "Shop/Deployment/x",
                        legal ? "ns/pod/p.q-1" : "no target " + text()),
                texts(),
                maybe(() -> gen.oneOf("rr-1", "shop/rr-2")),
                maybe(() -> gen.between(0.0, 1.0)),
                text(),
                config);
    }

    private WorkflowRef legalWorkflow() {
        return new WorkflowRef(
                gen.oneOf("repair", "clean-disk"),
                gen.oneOf("", "1.2.0"),
                gen.oneOf("", "registry.example:5000/workflows/repair:v1"),
                gen.oneOf("", "sha256:" + "0f".repeat(32)));
    }

    private SortedMap<String, String> labels() {
        return legal ? new TreeMap<>(Map.of("app.example/team", gen.oneOf("", "Ops-1_x.y"))) : texts();
    }

    private Status status() {
        Status.Running running = new Status.Running(run(), gen.magnitude(Long.MAX_VALUE), instant(), progress());
        return switch (gen.between(0, 4)) {
            case 0 -> running;
            case 1 -> running.complete(progress(), instant());
            case 2 -> new Status.Skipped(skip());
            case 3 -> during();
            default -> before();
        };
    }

    private Status during() {
        Failure failure = failure(Started.UNKNOWN);
        return new Status.Failed(
                Optional.of(run()),
                Optional.of(instant()),
                progress(),
                failure,
                new Outcome.FailedDuringExecution(failure.reason().name()));
    }

    private Status before() {
        Failure failure = failure(Started.NO);
        Outcome outcome = gen.once(2)
                ? new Outcome.Withdrawn()
                : new Outcome.FailedBeforeExecution(
                        failure.reason().name(), gen.between(1, Integer.MAX_VALUE), instant());
        Optional<RunRef> run = maybe(this::run);
        return new Status.Failed(
                run, maybe(this::instant), run.map(there -> progress()).orElse(Progress.NONE), failure, outcome);
    }

    private Failure failure(Started started) {
        return new Failure(
                gen.oneOf(FailureReason.values()),
                text(),
                instant(),
                maybe(() -> "task" + text()),
                maybe(() -> gen.between(0, 99)),
                maybe(() -> "step" + text()),
                maybe(() -> gen.between(0, 255)),
                maybe(() -> Duration.ofNanos(gen.magnitude(1_000_000_000_000_000L))),
                text(),
                started);
    }

    private Status.SkipDetails skip() {
        return new Status.SkipDetails(
                gen.oneOf(SkipReason.values()),
                text(),
                instant(),
                maybe(() -> new Holder(ref(), "w", "run", "run-name", instant())),
                maybe(() -> new Past(ref(), "w", instant(), gen.oneOf("", "TaskFailed"), gen.once(2))),
                maybe(this::instant));
    }

    private RunRef run() {
        return new RunRef("run" + text(), "uid" + text());
    }

    private Progress progress() {
        int total = gen.between(0, 9);
        return new Progress(gen.between(0, total), total, text(), text());
    }

    private Instant instant() {
        return Samples.NOW.plusNanos(gen.magnitude(1_000_000_000_000_000L));
    }

    private String text() {
        return gen.once(3) ? "" : gen.oneOf("", "\"'\n\t$(x) \\ \u00e9 \ud83d\udd27 ") + gen.text(30);
    }

    private SortedMap<String, String> texts() {
        SortedMap<String, String> texts = new TreeMap<>();
        for (int i = gen.length(0, 5); i > 0; i--) {
            texts.put("key" + i, text());
        }
        return texts;
    }

    private <T> Optional<T> maybe(Supplier<T> value) {
        return gen.once(2) ? Optional.empty() : Optional.of(value.get());
    }
}
