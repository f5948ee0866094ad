package dev.escapement.kubernetes.controller;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Elects one of several replicas by a lease.
 *
 * @param namespace of the lease
 * @param identity of this replica
 */
public record LeaderElection(String namespace, String identity) {

    public static final String LEASE_NAME = "escapement";

    private static final Duration LEASE_DURATION = Duration.ofSeconds(15);
    private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
    private static final Duration RETRY_PERIOD = Duration.ofSeconds(2);

    /**
     * Starts to compete for the lease.
     *
     * @return releases the lease when it is cancelled
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if the lease cannot be read
     */
    CompletableFuture<?> start(KubernetesClient client, LeaderCallbacks callbacks) {
        LeaseLock lock = new LeaseLock(namespace, LEASE_NAME, identity);
        lock.get(client);
        return client.leaderElector()
                .withConfig(new LeaderElectionConfigBuilder()
                        .withName(LEASE_NAME)
                        .withLock(lock)
                        .withLeaseDuration(LEASE_DURATION)
                        .withRenewDeadline(RENEW_DEADLINE)
                        .withRetryPeriod(RETRY_PERIOD)
                        .withLeaderCallbacks(callbacks)
                        .withReleaseOnCancel(true)
                        .build())
                .build()
                .start();
    }
}
