package dev.escapement.governor.failure;

import dev.escapement.testkit.Gen;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Facts as an adapter might give them, sense or nonsense. */
final class AnyFacts {

    private static final List<String> REASONS = List.of(
            "",
            "Failed",
            "StepFailed",
            "OOMKilled",
            "ImagePullBackOff",
            "TaskRunImagePullFailed",
            "TaskRunTimeout",
            "Cancelled",
            "PodEvicted",
            "CouldntGetPipeline",
            "Skipped",
            "Continued",
            "CrashLoopBackOff",
            "PostStartHookError",
            "ContainerCreating",
            "PodInitializing",
            "DeadlineExceeded",
            "WorkflowNotFound",
            "Error");

    private AnyFacts() {}

    static RunFacts run(Gen gen) {
        return new RunFacts(
                gen.oneOf(RunEnd.values()),
                reason(gen),
                message(gen),
                maybe(gen, () -> gen.oneOf(0, 200, 400, 403, 404, 409, 429, 500, 503, gen.between(-5, 700))),
                maybe(gen, () -> gen.between(-1, 5)),
                maybe(gen, () -> instant(gen)),
                instant(gen),
                list(gen, 4, AnyFacts::task),
                !gen.once(3),
                gen.once(6));
    }

    static TaskFacts task(Gen gen) {
        return new TaskFacts(
                gen.once(20) ? Integer.MAX_VALUE : gen.between(0, 4),
                message(gen),
                gen.oneOf(TaskState.values()),
                reason(gen),
                message(gen),
                list(gen, 3, AnyFacts::step),
                gen.once(4) ? list(gen, 2, AnyFacts::step) : List.of());
    }

    static StepFacts step(Gen gen) {
        return new StepFacts(message(gen), gen.oneOf(StepFacts.Role.values()), state(gen));
    }

    static StepState state(Gen gen) {
        return switch (gen.between(0, 3)) {
            case 0 -> new StepState.Waiting(reason(gen), message(gen));
            case 1 -> new StepState.NeverStarted(reason(gen), message(gen));
            case 2 -> new StepState.Running(maybe(gen, () -> instant(gen)));
            default ->
                new StepState.Terminated(
                        maybe(gen, () -> gen.between(-1, 300)),
                        maybe(gen, () -> gen.between(0, 70)),
                        reason(gen),
                        message(gen),
                        maybe(gen, () -> instant(gen)));
        };
    }

    static String reason(Gen gen) {
        return gen.once(8) ? message(gen) : gen.oneOf(REASONS);
    }

    static String message(Gen gen) {
        String text = gen.text(gen.once(10) ? 4000 : 40);
        return gen.once(3)
                ? text + gen.oneOf("\n", "\u0000", "\u001b[2J", "\"", "%s", "\u202e", "quota", "\ud83d")
                : text;
    }

    private static Instant instant(Gen gen) {
        return gen.once(20)
                ? gen.oneOf(Instant.MIN, Instant.MAX, Instant.EPOCH)
                : Instant.ofEpochSecond(gen.between(0L, 4_000_000_000L), gen.between(0, 999_999_999));
    }

    private static <T> Optional<T> maybe(Gen gen, Supplier<T> value) {
        return gen.once(2) ? Optional.empty() : Optional.of(value.get());
    }

    private static <T> List<T> list(Gen gen, int longest, java.util.function.Function<Gen, T> one) {
        return IntStream.range(0, gen.length(0, longest))
                .mapToObj(i -> one.apply(gen))
                .toList();
    }

    static <T> List<T> without(Gen gen, List<T> all) {
        int gone = gen.between(0, Math.max(0, all.size() - 1));
        return Stream.concat(all.stream().limit(gone), all.stream().skip(gone + 1L))
                .toList();
    }
}
