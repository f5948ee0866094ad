package dev.escapement.architecture.offenders;

import java.util.concurrent.CompletableFuture;

/** Runs something on threads that nobody passed. */
public final class ThreadPoolOffender {

    private ThreadPoolOffender() {}

    static CompletableFuture<Void> run(Runnable work) {
        return CompletableFuture.runAsync(work);
    }
}
