package dev.escapement.kubernetes.scenario;

import dev.escapement.kubernetes.resource.OperatorServiceAccount;
import dev.escapement.kubernetes.store.KubernetesPorts;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A cluster on which somebody has followed the guide: our resources, our rights, our settings, and Tekton. */
final class InstalledCluster {

    /** Where the operator lives. */
    static final String OPERATOR_NAMESPACE = OperatorServiceAccount.OPERATOR_NAMESPACE;

    /** Where the runs live. */
    static final String RUN_NAMESPACE = OperatorServiceAccount.RUN_NAMESPACE;

    /** Who the operator is. */
    static final String SERVICE_ACCOUNT = OperatorServiceAccount.NAME;

    private static final String RESOURCE_ROOT = "/dev/escapement/kubernetes/deploy/";

    private InstalledCluster() {}

    static synchronized TestCluster installOn(TestCluster cluster) {
        KubernetesClient admin = cluster.installTekton().admin();
        KubernetesPorts.installCrds(admin);
        for (String file : List.of("rbac.yaml", "config.yaml")) {
            apply(admin, file);
        }
        // Pods need it, and the controller manager makes it.
        admin.serviceAccounts()
                .inNamespace(RUN_NAMESPACE)
                .withName("default")
                .waitUntilCondition(account -> account != null, TestCluster.TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        return cluster;
    }

    /** Another namespace for runs, with the same rights there. */
    static String newRunNamespace(TestCluster cluster) {
        return OperatorServiceAccount.newRunNamespace(cluster, "more-runs");
    }

    /** What a person does with {@code kubectl apply}. */
    static void apply(KubernetesClient admin, String file) {
        InputStream yaml = InstalledCluster.class.getResourceAsStream(RESOURCE_ROOT + file);
        admin.load(yaml)
                .items()
                .forEach(object -> admin.resource(object).forceConflicts().serverSideApply());
    }
}
