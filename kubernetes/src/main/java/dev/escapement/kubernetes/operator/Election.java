package dev.escapement.kubernetes.operator;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which of several replicas works.
 *
 * @param namespace of the lease
 * @param identity of this replica
 */
public record Election(String namespace, String identity) {

    /** The name of the lease. */
    public static final String LEASE = "escapement";

    private static final Logger LOG = LoggerFactory.getLogger(Election.class);

    /** Lets another replica lead at once, instead of when the lease has run out. */
    void release(KubernetesClient client) {
        try {
            Optional.ofNullable(client.leases()
                            .inNamespace(namespace)
                            .withName(LEASE)
                            .get())
                    .filter(lease -> identity.equals(lease.getSpec().getHolderIdentity()))
                    .ifPresent(lease -> client.resource(released(lease)).update());
        } catch (KubernetesClientException failure) {
            LOG.debug("the lease runs out by itself: {}", failure.getMessage());
        }
    }

    private static Lease released(Lease lease) {
        return lease.edit().editSpec().withHolderIdentity("").withLeaseDurationSeconds(1).endSpec().build();
    }
}
