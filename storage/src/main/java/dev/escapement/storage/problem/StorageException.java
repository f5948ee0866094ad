package dev.escapement.storage.problem;

/** A failure of the database. The message names the database, the cause and what to do. */
public abstract sealed class StorageException extends RuntimeException
        permits UnusableDatabaseException,
                StorageUnavailableException,
                CommitOutcomeUnknownException,
                ServerLeaseLostException,
                UnexpectedStorageException {

    StorageException(String message, Throwable cause) {
        super(message, cause);
    }

    StorageException(String message) {
        super(message);
    }
}
