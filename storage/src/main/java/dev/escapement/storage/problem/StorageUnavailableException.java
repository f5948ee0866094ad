package dev.escapement.storage.problem;

/** The database cannot be reached or is busy. Nothing was changed; the same may work later. */
public final class StorageUnavailableException extends StorageException {

    /** With the reason that the driver gave. */
    public StorageUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Nothing but the message is known. */
    public StorageUnavailableException(String message) {
        super(message);
    }
}
