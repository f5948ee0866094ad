package dev.escapement.storage.problem;

/** The database cannot be used until a person changes the file, the address, the password or the program version. */
public final class UnusableDatabaseException extends StorageException {

    public UnusableDatabaseException(String message, Throwable cause) {
        super(message, cause);
    }

    public UnusableDatabaseException(String message) {
        super(message);
    }
}
