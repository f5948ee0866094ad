package dev.escapement.server;

import java.util.Optional;

/** Finds the innermost cause of a failure. */
public final class RootCause {

    private RootCause() {}

    public static Throwable of(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Returns the message of the innermost cause, or the name of its class if it has none. */
    public static String messageOf(Throwable failure) {
        Throwable cause = of(failure);
        return Optional.ofNullable(cause.getMessage())
                .filter(message -> !message.isBlank())
                .orElse(cause.getClass().getSimpleName());
    }
}
