package dev.escapement.kubernetes.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The permissions of the service account of the operator on a real API server after {@code rbac.yaml} was applied. */
@ExtendWith(ClusterExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class OperatorRbacIT {

    private static final String OPERATOR_NAMESPACE = "kubernaut-system";

    private final TestCluster cluster;
    private final KubernetesClient operatorClient;

    OperatorRbacIT(TestCluster cluster) {
        this.cluster = cluster;
        for (HasMetadata object : DeployManifests.load(DeployManifests.RBAC, HasMetadata.class)) {
            cluster.admin().resource(object).createOr(NonDeletingOperation::update);
        }
        for (HasMetadata object : DeployManifests.load(DeployManifests.CONFIG, HasMetadata.class)) {
            cluster.admin().resource(object).createOr(NonDeletingOperation::update);
        }
        operatorClient = cluster.kubeconfigFor(OPERATOR_NAMESPACE, "escapement").client();
    }

    @AfterAll
    void close() {
        operatorClient.close();
    }

    @ParameterizedTest
    @CsvSource({
        "watch,  kubernaut.ai, workflowexecutions,        '',                  true",
        "update, kubernaut.ai, workflowexecutions/status, shop,                true",
        "patch,  kubernaut.ai, workflowexecutions/status, shop,                false",
        "patch,  kubernaut.ai, workflowexecutions,        shop,                true",
        "update, kubernaut.ai, workflowexecutions,        shop,                false",
        "create, kubernaut.ai, remediationtargets,        '',                  true",
        "delete, kubernaut.ai, remediationtargets,        '',                  true",
        "watch,  kubernaut.ai, notificationrequests,      '',                  true",
        "create, kubernaut.ai, notificationrequests,      kubernaut-system,    true",
        "create, kubernaut.ai, notificationrequests,      shop,                false",
        "update, kubernaut.ai, notificationrequests,      shop,                false",
        "update, kubernaut.ai, notificationrequests/status, shop,              true",
        "create, tekton.dev,   pipelineruns,              kubernaut-workflows, true",
        "create, tekton.dev,   pipelineruns,              shop,                false",
        "create, tekton.dev,   taskruns,                  kubernaut-workflows, false",
        "watch,  tekton.dev,   taskruns,                  kubernaut-workflows, true",
        "get,    tekton.dev,   taskruns,                  kubernaut-workflows, false",
        "patch,  batch,        jobs,                      kubernaut-workflows, true",
        "patch,  batch,        jobs,                      kubernaut-system,    false",
        "update, batch,        jobs,                      kubernaut-workflows, false",
        "list,   '',           pods,                      kubernaut-workflows, true",
        "create, '',           pods,                      kubernaut-workflows, false",
        "list,   '',           pods,                      '',                  false",
        "create, '',           events,                    shop,                true",
        "update, '',           events,                    shop,                false",
        "get,    '',           events,                    shop,                false",
        "list,   '',           configmaps,                kubernaut-system,    false",
        "update, '',           configmaps,                kubernaut-system,    false",
        "create, coordination.k8s.io, leases,             kubernaut-system,    true",
        "update, coordination.k8s.io, leases,             kubernaut-system,    false",
        "update, coordination.k8s.io, leases/escapement,  kubernaut-system,    false",
        "get,    coordination.k8s.io, leases/escapement,  kubernaut-system,    true",
        "patch,  coordination.k8s.io, leases/escapement,  kubernaut-system,    true",
        "patch,  coordination.k8s.io, leases/other,       kubernaut-system,    false",
        "create, coordination.k8s.io, leases,             kubernaut-workflows, false",
        "get,    '',           secrets,                   kubernaut-system,    false",
        "list,   '',           secrets,                   kubernaut-workflows, false",
        "get,    '',           nodes,                     '',                  false",
        "get,    apiextensions.k8s.io, customresourcedefinitions, '',          false",
        "impersonate, '',      serviceaccounts,           kubernaut-workflows, false",
        "create, '',           serviceaccounts/token,     kubernaut-workflows, false",
    })
    void grantsExactlyTheseRights(String verb, String group, String resource, String namespace, boolean allowed) {
        String[] parts = resource.split("/", -1);
        boolean named = parts[0].equals("leases");
        String rest = parts.length > 1 ? parts[1] : "";
        var review = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withVerb(verb)
                .withGroup(group)
                .withResource(parts[0])
                .withSubresource(named ? "" : rest)
                .withName(named ? rest : "")
                .withNamespace(namespace)
                .endResourceAttributes()
                .endSpec()
                .build();
        var status = operatorClient
                .authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(review)
                .getStatus();
        assertThat(status.getAllowed()).isEqualTo(allowed);
    }

    /** An editor of a namespace can read its executions; creating one needs a separate role. */
    @Test
    void namespaceEditorMayNotCreateExecutions() {
        String namespace = cluster.createNamespace("editors");
        bind(namespace, "edit", "emil");
        bind(namespace, "escapement-edit", "erna");

        ConditionPoller.await("the roles are aggregated", () -> isAllowed("emil", "get", namespace));
        assertThat(isAllowed("emil", "create", namespace)).isFalse();
        assertThat(isAllowed("erna", "create", namespace)).isTrue();
    }

    private void bind(String namespace, String role, String user) {
        cluster.admin()
                .resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(user)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
                        .withSubjects(new Subject("rbac.authorization.k8s.io", "User", user, null))
                        .build())
                .create();
    }

    private boolean isAllowed(String user, String verb, String namespace) {
        return cluster.admin()
                .authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser(user)
                        .withNewResourceAttributes()
                        .withVerb(verb)
                        .withGroup("kubernaut.ai")
                        .withResource("workflowexecutions")
                        .withNamespace(namespace)
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed();
    }

    /** Only with a field selector on its name. */
    @Test
    void canWatchPolicyConfigMap() {
        var configMap =
                operatorClient.configMaps().inNamespace(OPERATOR_NAMESPACE).withName("workflowexecution-config");
        assertThat(configMap
                        .waitUntilCondition(found -> found != null, 10, TimeUnit.SECONDS)
                        .getData())
                .containsEntry("cooldown-period", "5m");
        assertThat(operatorClient
                        .configMaps()
                        .inNamespace(OPERATOR_NAMESPACE)
                        .withField("metadata.name", "workflowexecution-config")
                        .list()
                        .getItems())
                .hasSize(1);
    }
}
