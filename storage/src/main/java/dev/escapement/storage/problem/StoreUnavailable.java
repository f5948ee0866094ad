package dev.escapement.storage.problem;

/** The database cannot be reached or is busy. Nothing was changed; the same may work later. */
public final class StoreUnavailable extends StorageProblem {

    /** With the reason that the driver gave. */
    public StoreUnavailable(String message, Throwable cause) {
        super(message, cause);
    }

    /** Nothing but the message is known. */
    public StoreUnavailable(String message) {
        super(message);
    }
}
