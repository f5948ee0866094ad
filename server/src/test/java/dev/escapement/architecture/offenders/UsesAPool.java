package dev.escapement.architecture.offenders;

import java.util.concurrent.CompletableFuture;

/** Runs something on threads that nobody passed. */
public final class UsesAPool {

    private UsesAPool() {}

    static CompletableFuture<Void> run(Runnable work) {
        return CompletableFuture.runAsync(work);
    }
}
