package dev.escapement.storage.problem;

/**
 * The database rejected a statement unexpectedly: a bug of this program, or a damaged database. Nothing was changed.
 */
public final class UnexpectedStorageException extends StorageException {

    public UnexpectedStorageException(String message, Throwable cause) {
        super(message, cause);
    }
}
