package dev.escapement.kubernetes.scenario;

import dev.escapement.kubernetes.resource.OperatorServiceAccount;
import dev.escapement.kubernetes.store.KubernetesPorts;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Installs Escapement and Tekton on a cluster as the guide describes it. */
final class InstalledCluster {

    static final String OPERATOR_NAMESPACE = OperatorServiceAccount.OPERATOR_NAMESPACE;

    static final String RUN_NAMESPACE = OperatorServiceAccount.RUN_NAMESPACE;

    static final String SERVICE_ACCOUNT = OperatorServiceAccount.NAME;

    private static final String RESOURCE_ROOT = "/dev/escapement/kubernetes/deploy/";

    private InstalledCluster() {}

    static synchronized TestCluster installOn(TestCluster cluster) {
        KubernetesClient admin = cluster.installTekton().admin();
        KubernetesPorts.installCrds(admin);
        for (String file : List.of("rbac.yaml", "config.yaml")) {
            apply(admin, file);
        }
        // Pods need it, and the controller manager creates it.
        admin.serviceAccounts()
                .inNamespace(RUN_NAMESPACE)
                .withName("default")
                .waitUntilCondition(account -> account != null, TestCluster.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        return cluster;
    }

    /** Creates another namespace for runs with the same permissions. */
    static String newRunNamespace(TestCluster cluster) {
        return OperatorServiceAccount.newRunNamespace(cluster, "more-runs");
    }

    /** Applies a manifest as {@code kubectl apply} does. */
    static void apply(KubernetesClient admin, String file) {
        load(admin, file)
                .forEach(object -> admin.resource(object).forceConflicts().serverSideApply());
    }

    /** Returns the objects of a manifest. */
    static List<HasMetadata> load(KubernetesClient admin, String file) {
        InputStream yaml = InstalledCluster.class.getResourceAsStream(RESOURCE_ROOT + file);
        return admin.load(yaml).items();
    }
}
