package dev.escapement.kubernetes.resource;

import dev.escapement.kubernetes.client.KubernetesClients;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.function.ObjIntConsumer;

/** The service account of the operator, because the administrator has all permissions. */
public final class OperatorServiceAccount {

    /** The namespace of the operator. */
    public static final String OPERATOR_NAMESPACE = "kubernaut-system";

    /** The namespace of the runs. */
    public static final String RUN_NAMESPACE = "kubernaut-workflows";

    public static final String NAME = "escapement";

    private static final String ROLE = "escapement-runs";

    private OperatorServiceAccount() {}

    /** Returns a client with exactly the permissions of {@code rbac.yaml}. */
    public static KubernetesClient newClient(TestCluster cluster) {
        return newClient(cluster, (method, code) -> {});
    }

    public static KubernetesClient newClient(TestCluster cluster, ObjIntConsumer<String> listener) {
        for (HasMetadata object : DeployManifests.load(DeployManifests.RBAC, HasMetadata.class)) {
            cluster.admin().resource(object).forceConflicts().serverSideApply();
        }
        return KubernetesClients.open(
                cluster.kubeconfigFor(OPERATOR_NAMESPACE, NAME).config(), listener);
    }

    /** Creates another namespace for runs, with the same permissions of the operator. */
    public static String newRunNamespace(TestCluster cluster, String prefix) {
        KubernetesClient admin = cluster.admin();
        String namespace = cluster.createNamespace(prefix);
        Role role = DeployManifests.load(DeployManifests.RBAC, Role.class).stream()
                .filter(each -> each.getMetadata().getName().equals(ROLE))
                .findFirst()
                .orElseThrow();
        admin.resource(new RoleBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(ROLE)
                        .endMetadata()
                        .withRules(role.getRules())
                        .build())
                .create();
        admin.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(ROLE)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", ROLE)
                        .withSubjects(new Subject("", "ServiceAccount", NAME, OPERATOR_NAMESPACE))
                        .build())
                .create();
        return namespace;
    }

    /** Waits until the API server applies new permissions. */
    public static void awaitPermissions(KubernetesClient operator, String namespace) {
        ConditionPoller.await(
                "the permissions in " + namespace + " are in effect",
                () -> operator.authorization()
                        .v1()
                        .selfSubjectAccessReview()
                        .create(new SelfSubjectAccessReviewBuilder()
                                .withNewSpec()
                                .withNewResourceAttributes()
                                .withVerb("watch")
                                .withGroup("batch")
                                .withResource("jobs")
                                .withNamespace(namespace)
                                .endResourceAttributes()
                                .endSpec()
                                .build())
                        .getStatus()
                        .getAllowed());
    }
}
