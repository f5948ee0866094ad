package dev.escapement.testkit.cluster;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.concurrent.TimeUnit;

/** Waits until custom resource definitions can be used. */
public final class CrdStatus {

    private CrdStatus() {}

    /** Waits until the API server serves the resources; fails after {@link TestCluster#TIMEOUT}. */
    public static void awaitEstablished(KubernetesClient admin, String... names) {
        for (String name : names) {
            admin.apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName(name)
                    .waitUntilCondition(
                            CrdStatus::isEstablished, TestCluster.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** A new definition has no status yet. */
    private static boolean isEstablished(CustomResourceDefinition crd) {
        return crd != null
                && crd.getStatus() != null
                && crd.getStatus().getConditions() != null
                && crd.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True"));
    }
}
