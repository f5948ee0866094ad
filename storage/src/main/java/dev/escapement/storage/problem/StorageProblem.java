package dev.escapement.storage.problem;

/** Something is wrong with the database. The message says with which, what, and what to do. */
public abstract sealed class StorageProblem extends RuntimeException
        permits DatabaseRefused, StoreUnavailable, OutcomeUnknown, ServerRetired, StorageFailed {

    StorageProblem(String message, Throwable cause) {
        super(message, cause);
    }

    StorageProblem(String message) {
        super(message);
    }
}
