package dev.escapement.governor.failure;

import dev.escapement.testkit.Generator;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Generates facts as an adapter might report them, consistent or not. */
final class RunFactsGenerator {

    private static final List<String> REASONS = List.of(
            "",
            "Failed",
            "StepFailed",
            "OOMKilled",
            "ImagePullBackOff",
            "TaskImagePullFailed",
            "TaskTimeout",
            "Cancelled",
            "PodEvicted",
            "DefinitionNotFound",
            "Skipped",
            "Continued",
            "CrashLoopBackOff",
            "PostStartHookError",
            "ContainerCreating",
            "PodInitializing",
            "DeadlineExceeded",
            "WorkflowNotFound",
            "Error");

    private RunFactsGenerator() {}

    static RunFacts run(Generator gen) {
        return new RunFacts(
                gen.oneOf(RunEnd.values()),
                reason(gen),
                message(gen),
                optional(gen, () -> gen.oneOf(0, 200, 400, 403, 404, 409, 429, 500, 503, gen.between(-5, 700))),
                optional(gen, () -> gen.between(-1, 5)),
                optional(gen, () -> instant(gen)),
                instant(gen),
                list(gen, 4, RunFactsGenerator::task),
                RunFactsFixtures.REASONS,
                !gen.oneIn(3),
                gen.oneIn(6));
    }

    static TaskFacts task(Generator gen) {
        return new TaskFacts(
                gen.oneIn(20) ? Integer.MAX_VALUE : gen.between(0, 4),
                message(gen),
                gen.oneOf(TaskState.values()),
                reason(gen),
                message(gen),
                list(gen, 3, RunFactsGenerator::step),
                gen.oneIn(4) ? list(gen, 2, RunFactsGenerator::step) : List.of());
    }

    static StepFacts step(Generator gen) {
        return new StepFacts(message(gen), gen.oneOf(StepFacts.Role.values()), state(gen));
    }

    static StepState state(Generator gen) {
        return switch (gen.between(0, 3)) {
            case 0 -> new StepState.Waiting(reason(gen), message(gen));
            case 1 -> new StepState.NeverStarted(reason(gen), message(gen));
            case 2 -> new StepState.Running(optional(gen, () -> instant(gen)));
            default ->
                new StepState.Terminated(
                        optional(gen, () -> gen.between(-1, 300)),
                        optional(gen, () -> gen.between(0, 70)),
                        reason(gen),
                        message(gen),
                        optional(gen, () -> instant(gen)));
        };
    }

    static String reason(Generator gen) {
        return gen.oneIn(8) ? message(gen) : gen.oneOf(REASONS);
    }

    static String message(Generator gen) {
        String text = gen.text(gen.oneIn(10) ? 4000 : 40);
        return gen.oneIn(3)
                ? text + gen.oneOf("\n", "\u0000", "\u001b[2J", "\"", "%s", "\u202e", "quota", "\ud83d")
                : text;
    }

    private static Instant instant(Generator gen) {
        return gen.oneIn(20)
                ? gen.oneOf(Instant.MIN, Instant.MAX, Instant.EPOCH)
                : Instant.ofEpochSecond(gen.between(0L, 4_000_000_000L), gen.between(0, 999_999_999));
    }

    private static <T> Optional<T> optional(Generator gen, Supplier<T> value) {
        return gen.oneIn(2) ? Optional.empty() : Optional.of(value.get());
    }

    private static <T> List<T> list(Generator gen, int longest, java.util.function.Function<Generator, T> one) {
        return IntStream.range(0, gen.length(0, longest))
                .mapToObj(i -> one.apply(gen))
                .toList();
    }

    static <T> List<T> removeSome(Generator gen, List<T> all) {
        int gone = gen.between(0, Math.max(0, all.size() - 1));
        return Stream.concat(all.stream().limit(gone), all.stream().skip(gone + 1L))
                .toList();
    }
}
