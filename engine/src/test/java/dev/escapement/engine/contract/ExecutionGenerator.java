package dev.escapement.engine.contract;

import dev.escapement.api.execution.WorkflowExecutionSpec.RemediationRequestReference;
import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionMetadata;
import dev.escapement.engine.execution.ExecutionMetadata.UnknownFields;
import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.engine.execution.ExecutionSpec.ConflictSettings;
import dev.escapement.engine.execution.ExecutionSpec.ExecutionConfig;
import dev.escapement.engine.execution.ExecutionSpec.OnConflict;
import dev.escapement.engine.execution.ExecutionSpec.WorkflowRef;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.ExecutionStatus.PendingDetails;
import dev.escapement.engine.execution.ExecutionStatus.PendingReason;
import dev.escapement.engine.execution.RunProgress;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.governor.failure.StartStatus;
import dev.escapement.governor.gate.SkipReason;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionOutcome;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.testkit.Generator;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Generates executions in any phase, with any text. */
public final class ExecutionGenerator {

    private final Generator gen;
    private final int number;
    private final boolean valid;

    private ExecutionGenerator(Generator gen, int number, boolean valid) {
        this.gen = gen;
        this.number = number;
        this.valid = valid;
    }

    /**
     * Generates an execution.
     *
     * @param number makes name and uid unique
     */
    public static Execution generate(Generator gen, int number) {
        return build(new ExecutionGenerator(gen, number, false));
    }

    /** Generates an execution that an API server accepts. */
    public static Execution generateValid(Generator gen, int number) {
        return build(new ExecutionGenerator(gen, number, true));
    }

    private static Execution build(ExecutionGenerator any) {
        ExecutionMetadata metadata = new ExecutionMetadata(
                any.instant(),
                any.optional(() -> "any-"),
                any.labels(),
                any.texts(),
                List.of(),
                List.of(),
                UnknownFields.NONE);
        return new Execution(any.ref(), metadata, any.spec(), Optional.empty(), Optional.empty(), any.status());
    }

    private ExecutionRef ref() {
        return new ExecutionRef("any", "any-" + number, "uid-any-" + number);
    }

    private ExecutionSpec spec() {
        ExecutionConfig config = new ExecutionConfig(
                optional(() -> Duration.ofNanos(1 + gen.magnitude(1_000_000_000_000_000L))),
                valid ? gen.oneOf("", "robot") : text(),
                valid ? gen.oneOf("", "tekton", "job") : text());
        return new ExecutionSpec(
                valid ? validWorkflow() : new WorkflowRef("w" + text(), text(), text(), text()),
                gen.oneOf(
                        "node/a",
                        valid ? "shop/Deployment/x" : "Shop/Deployment/x",
                        valid ? "ns/pod/p.q-1" : "no target " + text()),
                texts(),
                optional(() -> new RemediationRequestReference(
                        "rr-1",
                        gen.oneIn(2) ? "shop" : null,
                        gen.oneIn(2) ? "kubernaut.ai/v1alpha1" : null,
                        gen.oneIn(2) ? "RemediationRequest" : null,
                        gen.oneIn(2) ? "uid-rr-1" : null,
                        Map.of())),
                optional(() -> gen.between(0.0, 1.0)),
                text(),
                config,
                conflict());
    }

    private ConflictSettings conflict() {
        return gen.oneIn(2)
                ? new ConflictSettings(optional(() -> OnConflict.Skip), Optional.empty())
                : new ConflictSettings(
                        Optional.of(OnConflict.Wait),
                        optional(() -> Duration.ofNanos(1 + gen.magnitude(86_000_000_000_000L))));
    }

    private WorkflowRef validWorkflow() {
        return new WorkflowRef(
                gen.oneOf("repair", "clean-disk"),
                gen.oneOf("", "1.2.0"),
                gen.oneOf("", "registry.example:5000/workflows/repair:v1"),
                gen.oneOf("", "sha256:" + "0f".repeat(32)));
    }

    private SortedMap<String, String> labels() {
        return valid ? new TreeMap<>(Map.of("app.example/team", gen.oneOf("", "Ops-1_x.y"))) : texts();
    }

    private ExecutionStatus status() {
        ExecutionStatus.Running running =
                new ExecutionStatus.Running(run(), gen.magnitude(Long.MAX_VALUE), instant(), progress());
        return switch (gen.between(0, 5)) {
            case 0 -> running;
            case 5 -> pending();
            case 1 -> running.toCompleted(progress(), instant());
            case 2 -> new ExecutionStatus.Skipped(skipDetails());
            case 3 -> failedDuringExecution();
            default -> failedBeforeExecution();
        };
    }

    private ExecutionStatus pending() {
        return new ExecutionStatus.Pending(optional(() ->
                new PendingDetails(gen.oneOf(PendingReason.values()), text(), instant(), optional(this::instant))));
    }

    private ExecutionStatus failedDuringExecution() {
        Failure failure = failure(StartStatus.UNKNOWN);
        return new ExecutionStatus.Failed(
                Optional.of(run()),
                Optional.of(instant()),
                progress(),
                failure,
                new ExecutionOutcome.FailedDuringExecution(failure.reason().name()));
    }

    private ExecutionStatus failedBeforeExecution() {
        Failure failure = failure(StartStatus.NO);
        ExecutionOutcome outcome = gen.oneIn(2)
                ? new ExecutionOutcome.Withdrawn()
                : ExecutionOutcome.FailedBeforeExecution.restore(
                        failure.reason().name(),
                        failure.failedAt(),
                        gen.between(1, Integer.MAX_VALUE),
                        optional(this::instant));
        Optional<RunRef> run = optional(this::run);
        return new ExecutionStatus.Failed(
                run,
                optional(this::instant),
                run.map(there -> progress()).orElse(RunProgress.UNKNOWN),
                failure,
                outcome);
    }

    private Failure failure(StartStatus startStatus) {
        return new Failure(
                gen.oneOf(FailureReason.values()),
                text(),
                instant(),
                optional(() -> "task" + text()),
                optional(() -> gen.between(0, 99)),
                optional(() -> "step" + text()),
                optional(() -> gen.between(0, 255)),
                optional(() -> Duration.ofNanos(gen.magnitude(1_000_000_000_000_000L))),
                text(),
                startStatus);
    }

    private ExecutionStatus.SkipDetails skipDetails() {
        return new ExecutionStatus.SkipDetails(
                gen.oneOf(SkipReason.values()),
                text(),
                instant(),
                optional(() -> new Holder(ref(), "w", "run", "run-name", instant())),
                optional(() -> new EndedExecution(ref(), "w", instant(), gen.oneOf("", "TaskFailed"), gen.oneIn(2))),
                optional(this::instant));
    }

    private RunRef run() {
        String place = gen.oneOf("", "job/runs/", "pipelinerun/kubernaut-workflows/");
        return new RunRef(place + "run" + text(), "uid" + text());
    }

    private RunProgress progress() {
        int total = gen.between(0, 9);
        return new RunProgress(gen.between(0, total), total, text(), text());
    }

    private Instant instant() {
        return ExecutionSamples.NOW.plusNanos(gen.magnitude(1_000_000_000_000_000L));
    }

    private String text() {
        return gen.oneIn(3) ? "" : gen.oneOf("", "\"'\n\t$(x) \\ \u00e9 \ud83d\udd27 ") + gen.text(30);
    }

    private SortedMap<String, String> texts() {
        SortedMap<String, String> texts = new TreeMap<>();
        for (int i = gen.length(0, 5); i > 0; i--) {
            texts.put("key" + i, text());
        }
        return texts;
    }

    private <T> Optional<T> optional(Supplier<T> value) {
        return gen.oneIn(2) ? Optional.empty() : Optional.of(value.get());
    }
}
