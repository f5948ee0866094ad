package dev.escapement.kubernetes.scenario;

import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.kubernetes.resource.OperatorAccount;
import dev.escapement.kubernetes.store.ClusterPorts;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A cluster on which somebody has followed the guide: our resources, our rights, our settings, and Tekton. */
final class Installed {

    /** Where the operator lives. */
    static final String SYSTEM = OperatorAccount.SYSTEM;

    /** Where the runs live. */
    static final String RUNS = OperatorAccount.RUNS;

    /** Who the operator is. */
    static final String ACCOUNT = OperatorAccount.NAME;

    private static final String FOLDER = "/dev/escapement/kubernetes/deploy/";

    private Installed() {}

    static synchronized TestCluster on(TestCluster cluster) {
        KubernetesClient admin = cluster.withTekton().admin();
        ClusterPorts.install(admin);
        for (String file : List.of("rbac.yaml", "config.yaml")) {
            apply(admin, file);
        }
        // Pods need it, and the controller manager makes it.
        admin.serviceAccounts()
                .inNamespace(RUNS)
                .withName("default")
                .waitUntilCondition(account -> account != null, TestCluster.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        return cluster;
    }

    /** Another namespace for runs, with the same rights there. */
    static String moreRuns(TestCluster cluster) {
        return OperatorAccount.moreRuns(cluster, "more-runs");
    }

    /** What a person does with {@code kubectl apply}. */
    static void apply(KubernetesClient admin, String file) {
        InputStream yaml = Installed.class.getResourceAsStream(FOLDER + file);
        admin.load(yaml)
                .items()
                .forEach(object -> admin.resource(object).forceConflicts().serverSideApply());
    }
}
