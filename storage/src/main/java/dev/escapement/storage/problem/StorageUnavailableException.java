package dev.escapement.storage.problem;

/** The database cannot be reached or is busy. Nothing was changed; a later retry may succeed. */
public final class StorageUnavailableException extends StorageException {

    public StorageUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    public StorageUnavailableException(String message) {
        super(message);
    }
}
