package dev.escapement.storage.problem;

/**
 * The connection broke while a change was being committed: it is made as a whole or not at all, and only a fresh look
 * can tell which.
 */
public final class CommitOutcomeUnknownException extends StorageException {

    /** With the reason that the driver gave. */
    public CommitOutcomeUnknownException(String message, Throwable cause) {
        super(message, cause);
    }
}
