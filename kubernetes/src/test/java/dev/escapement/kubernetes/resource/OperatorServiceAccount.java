package dev.escapement.kubernetes.resource;

import dev.escapement.kubernetes.client.KubernetesClients;
import dev.escapement.kubernetes.run.ClusterAwait;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.KubernetesClient;

/** Who the operator is on a cluster: what works for the administrator proves nothing. */
public final class OperatorServiceAccount {

    /** Where the operator lives. */
    public static final String OPERATOR_NAMESPACE = "kubernaut-system";

    /** Where the runs live. */
    public static final String RUN_NAMESPACE = "kubernaut-workflows";

    /** Its name. */
    public static final String NAME = "escapement";

    private static final String ROLE = "escapement-runs";

    private OperatorServiceAccount() {}

    /** A client with the rights of {@code rbac.yaml} and no others, as the operator opens it. */
    public static KubernetesClient newClient(TestCluster cluster) {
        return newClient(cluster, (method, code) -> {});
    }

    /** The same, telling somebody of every answer. */
    public static KubernetesClient newClient(TestCluster cluster, KubernetesClients.ResponseListener calls) {
        for (HasMetadata object : DeployManifests.load(DeployManifests.RBAC, HasMetadata.class)) {
            cluster.admin().resource(object).forceConflicts().serverSideApply();
        }
        return KubernetesClients.open(
                cluster.kubeconfigFor(OPERATOR_NAMESPACE, NAME).config(), calls);
    }

    /** Another namespace for runs, with the rights there that the operator has in its own. */
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

    /** The API server hears of new rights a moment after they were given. */
    public static void awaitPermissions(KubernetesClient operator, String namespace) {
        ClusterAwait.untilTrue(
                "the rights in " + namespace + " are known",
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
