package dev.escapement.storage.problem;

/**
 * The connection broke during a commit. The transaction was committed completely or not at all; only reading again
 * shows which.
 */
public final class CommitOutcomeUnknownException extends StorageException {

    public CommitOutcomeUnknownException(String message, Throwable cause) {
        super(message, cause);
    }
}
