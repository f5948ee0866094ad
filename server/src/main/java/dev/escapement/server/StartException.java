package dev.escapement.server;

import java.util.Optional;

/** The server could not start. The message names the problem, its place and what to do. */
public final class StartException extends RuntimeException {

    /** What the problem is about; the command line maps it to an exit code. */
    public enum Reason {
        /** The data folder cannot be created, read or written. */
        DATA_FOLDER,
        /** Another server uses the data folder. */
        DATA_FOLDER_IN_USE,
        /** The folder of the workflows does not exist or cannot be read. */
        WORKFLOWS,
        /** The address cannot be listened on: the port is in use, or this machine does not have the address. */
        ADDRESS,
        /** The database cannot be reached, is damaged, or belongs to something else. */
        DATABASE,
        /** The cluster cannot be reached, denies access, or lacks the custom resources. */
        CLUSTER
    }

    private final Reason reason;

    public StartException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public StartException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** Returns the innermost cause of a failure. */
    public static Throwable rootCause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Returns the message of the innermost cause, or the name of its class if it has none. */
    public static String rootMessage(Throwable failure) {
        Throwable cause = rootCause(failure);
        return Optional.ofNullable(cause.getMessage())
                .filter(message -> !message.isBlank())
                .orElse(cause.getClass().getSimpleName());
    }

    public Reason reason() {
        return reason;
    }
}
