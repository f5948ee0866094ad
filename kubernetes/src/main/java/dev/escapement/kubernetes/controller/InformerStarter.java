package dev.escapement.kubernetes.controller;

import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** Starts informers and waits for their caches. */
final class InformerStarter {

    private static final Duration SYNC_TIMEOUT = Duration.ofSeconds(60);

    private InformerStarter() {}

    /** @throws IllegalStateException if they are not synced within a minute */
    static void startAll(Collection<? extends SharedIndexInformer<?>> informers) {
        try {
            CompletableFuture.allOf(informers.stream()
                            .map(informer -> informer.start().toCompletableFuture())
                            .toArray(CompletableFuture[]::new))
                    .get(SYNC_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the watches start", interrupted);
        } catch (ExecutionException | TimeoutException failure) {
            String unsynced = informers.stream()
                    .filter(informer -> !informer.hasSynced())
                    .map(informer -> informer.getApiTypeClass().getSimpleName())
                    .collect(Collectors.joining(", "));
            throw new IllegalStateException("cannot watch %s: %s".formatted(unsynced, failure), failure);
        }
    }
}
