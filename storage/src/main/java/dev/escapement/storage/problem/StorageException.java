package dev.escapement.storage.problem;

/** A failure of the database. The message names the database, the cause and what to do. */
public abstract sealed class StorageException extends RuntimeException {

    StorageException(String message, Throwable cause) {
        super(message, cause);
    }

    StorageException(String message) {
        super(message);
    }

    /**
     * The database cannot be used until a person changes the file, the address, the password or the program version.
     */
    public static final class UnusableDatabaseException extends StorageException {

        public UnusableDatabaseException(String message, Throwable cause) {
            super(message, cause);
        }

        public UnusableDatabaseException(String message) {
            super(message);
        }
    }

    /** The database cannot be reached or is busy. Nothing was changed; a later retry may succeed. */
    public static final class StorageUnavailableException extends StorageException {

        public StorageUnavailableException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * The connection broke during a commit. The transaction was committed completely or not at all; only reading again
     * shows which.
     */
    public static final class CommitOutcomeUnknownException extends StorageException {

        public CommitOutcomeUnknownException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * The lease of this server is lost: it expired and another server took over, or a server was started with the same
     * id. Nothing was changed. This server no longer owns its runs; it must stop them and may register with a new id.
     */
    public static final class ServerLeaseLostException extends StorageException {

        public ServerLeaseLostException(String message) {
            super(message);
        }
    }

    /**
     * The database is older than the last write of this server: it was restored from a backup, or a standby without the
     * latest commits took over. Nothing was changed. Runs of this server may be unknown to the database.
     */
    public static final class DatabaseRestoredException extends StorageException {

        public DatabaseRestoredException(String message) {
            super(message);
        }
    }

    /**
     * The database rejected a statement unexpectedly: a bug of this program, or a damaged database. Nothing was
     * changed.
     */
    public static final class UnexpectedStorageException extends StorageException {

        public UnexpectedStorageException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
