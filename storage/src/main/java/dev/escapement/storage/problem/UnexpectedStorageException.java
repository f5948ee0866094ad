package dev.escapement.storage.problem;

/**
 * The database refused what nobody expected it to refuse: a defect here, or a damaged database. Nothing was changed.
 */
public final class UnexpectedStorageException extends StorageException {

    /** With the reason that the driver gave. */
    public UnexpectedStorageException(String message, Throwable cause) {
        super(message, cause);
    }
}
