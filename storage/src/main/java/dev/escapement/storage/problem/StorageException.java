package dev.escapement.storage.problem;

/** Something is wrong with the database. The message says with which, what, and what to do. */
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
