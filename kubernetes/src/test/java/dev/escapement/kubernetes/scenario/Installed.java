package dev.escapement.kubernetes.scenario;

import dev.escapement.cluster.testing.TestCluster;
import dev.escapement.kubernetes.store.ClusterPorts;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A cluster on which somebody has followed the guide: our resources, our rights, our settings, and Tekton. */
final class Installed {

    /** Where the operator lives. */
    static final String SYSTEM = "kubernaut-system";

    /** Where the runs live. */
    static final String RUNS = "kubernaut-workflows";

    /** Who the operator is. */
    static final String ACCOUNT = "escapement";

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
        KubernetesClient admin = cluster.admin();
        String namespace = cluster.freshNamespace("more-runs");
        Role role = admin.rbac()
                .roles()
                .inNamespace(RUNS)
                .withName("escapement-runs")
                .get();
        admin.resource(new RoleBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("escapement-runs")
                        .endMetadata()
                        .withRules(role.getRules())
                        .build())
                .create();
        admin.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("escapement-runs")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", "escapement-runs")
                        .withSubjects(new Subject("", "ServiceAccount", ACCOUNT, SYSTEM))
                        .build())
                .create();
        return namespace;
    }

    /** What a person does with {@code kubectl apply}. */
    static void apply(KubernetesClient admin, String file) {
        InputStream yaml = Installed.class.getResourceAsStream(FOLDER + file);
        admin.load(yaml)
                .items()
                .forEach(object -> admin.resource(object).forceConflicts().serverSideApply());
    }
}
