package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.api.ApiGroup;
import dev.escapement.kubernetes.resource.NamespacedKubectl;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.UntypedExecution;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The API server proves who created an execution, and that the journal is the operator's. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class CreatorNamesIT {

    private static final String ANNA = "anna@example.org";

    private final OperatorScenario scenario;
    private final List<HasMetadata> installed = new ArrayList<>();

    @TempDir
    Path folder = Path.of("");

    CreatorNamesIT(OperatorScenario scenario) {
        this.scenario = scenario;
    }

    /** Other tests share the cluster, so the policies are removed afterwards. */
    @BeforeEach
    void applyPolicies() {
        KubernetesClient admin = scenario.admin();
        installed.addAll(InstalledCluster.load(admin, "admission.yaml"));
        for (String role : List.of("escapement-edit", "escapement-view")) {
            installed.add(new ClusterRoleBindingBuilder()
                    .withNewMetadata()
                    .withName("creator-" + role)
                    .endMetadata()
                    .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", role)
                    .withSubjects(new Subject("rbac.authorization.k8s.io", "User", ANNA, null))
                    .build());
        }
        installed.forEach(object -> admin.resource(object).forceConflicts().serverSideApply());
        ConditionPoller.await(
                "the policies are in effect",
                () -> create("probe", "bob").contains("but you are")
                        && !annotate("probe", "team=blue").contains("cannot get")
                        && forgeEvent("probe").contains("only the operator"));
    }

    @AfterEach
    void removePolicies() {
        installed.forEach(object -> scenario.admin().resource(object).delete());
    }

    @Test
    void creatorIsTheUserOrNobody() {
        assertThat(create("as-bob", "bob"))
                .contains("kubernaut.ai/created-by is \"bob\", but you are \"" + ANNA + "\"");
        assertThat(create("as-anna", ANNA)).contains("created");
        assertThat(create("as-nobody", "")).contains("created");
        assertThat(creator("as-anna")).isEqualTo(ANNA);
    }

    @Test
    void creatorCannotBeChangedAddedOrRemoved() {
        create("mine", ANNA);
        create("unnamed", "");

        assertThat(annotate("mine", "kubernaut.ai/created-by=bob")).contains("cannot be changed");
        assertThat(annotate("mine", "kubernaut.ai/created-by-")).contains("cannot be changed");
        assertThat(annotate("unnamed", "kubernaut.ai/created-by=" + ANNA)).contains("cannot be changed");
        assertThat(annotate("mine", "team=blue")).contains("annotated");
        assertThat(creator("mine")).isEqualTo(ANNA);
    }

    /** The REST API has verified the name, and the operator writes it. */
    @Test
    void operatorCreatesOnBehalfOfItsCallers() {
        String name = "for-carol";
        UntypedExecution execution =
                scenario.jobWorkflow("succeed").withName(name).build();
        execution.getMetadata().setAnnotations(Map.of(ApiGroup.CREATED_BY, "carol"));
        var access =
                scenario.cluster().kubeconfigFor(InstalledCluster.OPERATOR_NAMESPACE, InstalledCluster.SERVICE_ACCOUNT);
        try (KubernetesClient operator =
                new KubernetesClientBuilder().withConfig(access.config()).build()) {
            operator.resource(execution).create();
        }
        assertThat(creator(name)).isEqualTo("carol");
    }

    @Test
    void onlyOperatorWritesJournalEvents() {
        CreatedExecution execution = scenario.jobWorkflow("succeed").create();
        execution.awaitFinal().assertCompleted();
        assertThat(execution.events()).isNotEmpty();

        assertThat(forgeEvent("forged")).contains("only the operator writes Events");
        var event = execution.events().get(0);
        event.getMetadata().getAnnotations().put("kubernaut.ai/transition", "{}");
        assertThatThrownBy(() -> scenario.admin().resource(event).update())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("only the operator writes Events");
        var hidden = execution.events().get(0);
        hidden.getMetadata().setAnnotations(Map.of());
        hidden.getMetadata().setLabels(Map.of());
        assertThatThrownBy(() -> scenario.admin().resource(hidden).update())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("only the operator writes Events");
    }

    /** Returns what the API server answers to an administrator. */
    private String forgeEvent(String name) {
        var event = new EventBuilder()
                .withNewMetadata()
                .withNamespace(scenario.namespace())
                .withName(name)
                .addToLabels("app.kubernetes.io/managed-by", "escapement")
                .addToAnnotations("kubernaut.ai/transition", "{}")
                .endMetadata()
                .withNewInvolvedObject()
                .withNamespace(scenario.namespace())
                .withKind("WorkflowExecution")
                .withName(name)
                .endInvolvedObject()
                .build();
        try {
            scenario.admin().resource(event).create();
            scenario.admin().resource(event).delete();
            return "created";
        } catch (KubernetesClientException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    private String create(String name, String creator) {
        String annotations = creator.isEmpty() ? "" : "  annotations: {kubernaut.ai/created-by: " + creator + "}\n";
        String yaml = """
                apiVersion: kubernaut.ai/v1alpha1
                kind: WorkflowExecution
                metadata:
                  name: %s
                %sspec:
                  workflowRef: {workflowId: repair, containerImage: simulated.local/succeed}
                  targetResource: %s
                  executionConfig: {engine: job}
                """.formatted(name, annotations, scenario.target());
        try {
            Path file = Files.writeString(folder.resolve(name + ".yaml"), yaml);
            return kubectl("create", "-f", file.toString(), "--as=" + ANNA);
        } catch (IOException failure) {
            throw new AssertionError(failure);
        }
    }

    private String annotate(String name, String annotation) {
        return kubectl("annotate", "--overwrite", "wfe", name, annotation, "--as=" + ANNA);
    }

    private String creator(String name) {
        return String.valueOf(scenario.admin()
                .resources(UntypedExecution.class)
                .inNamespace(scenario.namespace())
                .withName(name)
                .require()
                .getMetadata()
                .getAnnotations()
                .get(ApiGroup.CREATED_BY));
    }

    private String kubectl(String... arguments) {
        try {
            return new NamespacedKubectl(scenario.cluster().cluster().kubeconfig(), scenario.namespace(), folder)
                    .run(arguments);
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError(failure);
        }
    }
}
