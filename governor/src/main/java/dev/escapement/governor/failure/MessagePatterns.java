package dev.escapement.governor.failure;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Guesses a failure reason from the text of a message. Only for people: anyone can write a message. */
final class MessagePatterns {

    private record Pattern(FailureReason failureReason, List<String> parts) {}

    /** The most specific first: a refused image pull is often also forbidden, and an exceeded quota always is. */
    private static final List<Pattern> PATTERNS = List.of(
            pattern(FailureReason.OOMKilled, "oomkilled", "out of memory"),
            pattern(FailureReason.ImagePullBackOff, "imagepullbackoff", "errimagepull"),
            pattern(FailureReason.ImagePullBackOff, "pull image", "pull the image", "pull access"),
            pattern(FailureReason.ResourceExhausted, "quota", "insufficient cpu", "insufficient memory"),
            pattern(FailureReason.ResourceExhausted, "low on resource", "no space left"),
            pattern(FailureReason.Forbidden, "forbidden", "unauthorized", "permission denied", "access denied"),
            pattern(FailureReason.DeadlineExceeded, "deadline exceeded", "timed out", "timeout"),
            pattern(FailureReason.DeadlineExceeded, "failed to finish within"),
            pattern(FailureReason.ConfigurationError, "not found", "no such", "does not exist", "invalid"),
            pattern(FailureReason.ConfigurationError, "couldn't resolve", "error resolving"));

    private MessagePatterns() {}

    static Optional<FailureReason> match(String message) {
        String lower = message.toLowerCase(Locale.ROOT);
        return PATTERNS.stream()
                .filter(pattern -> pattern.parts().stream().anyMatch(lower::contains))
                .map(Pattern::failureReason)
                .findFirst();
    }

    private static Pattern pattern(FailureReason meaning, String... parts) {
        return new Pattern(meaning, List.of(parts));
    }
}
