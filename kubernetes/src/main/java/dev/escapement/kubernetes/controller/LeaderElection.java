package dev.escapement.kubernetes.controller;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.javaoperatorsdk.operator.api.config.LeaderElectionConfiguration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which of several replicas works.
 *
 * @param namespace of the lease
 * @param identity of this replica
 */
public record LeaderElection(String namespace, String identity) {

    /** The name of the lease. */
    public static final String LEASE_NAME = "escapement";

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);

    /** The framework would end the whole program when the lease is lost; that is for the program to decide. */
    @SuppressWarnings("deprecation") // Only meant for tests by its authors; ending the program is not for a library.
    LeaderElectionConfiguration configuration(LeaderCallbacks callbacks) {
        return new LeaderElectionConfiguration(
                LEASE_NAME,
                namespace,
                LeaderElectionConfiguration.LEASE_DURATION_DEFAULT_VALUE,
                LeaderElectionConfiguration.RENEW_DEADLINE_DEFAULT_VALUE,
                LeaderElectionConfiguration.RETRY_PERIOD_DEFAULT_VALUE,
                identity,
                callbacks,
                false);
    }

    /** Lets another replica lead at once, instead of when the lease has run out. */
    void release(KubernetesClient client) {
        try {
            Optional.ofNullable(client.leases()
                            .inNamespace(namespace)
                            .withName(LEASE_NAME)
                            .get())
                    .filter(lease -> identity.equals(lease.getSpec().getHolderIdentity()))
                    .ifPresent(lease -> client.resource(withoutHolder(lease)).update());
        } catch (KubernetesClientException failure) {
            LOG.debug("the lease runs out by itself: {}", failure.getMessage());
        }
    }

    private static Lease withoutHolder(Lease lease) {
        return lease.edit()
                .editSpec()
                .withHolderIdentity("")
                .withLeaseDurationSeconds(1)
                .endSpec()
                .build();
    }
}
