package dev.escapement.storage.problem;

/** The database cannot be used as it is: a person has to change the file, the address, the password or the program. */
public final class UnusableDatabaseException extends StorageException {

    /** With the reason that the driver gave. */
    public UnusableDatabaseException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Nothing but the message is known. */
    public UnusableDatabaseException(String message) {
        super(message);
    }
}
