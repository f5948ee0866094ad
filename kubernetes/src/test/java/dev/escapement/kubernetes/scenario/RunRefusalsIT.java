package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.kubernetes.run.ClusterAwait;
import dev.escapement.testkit.cluster.ClusterExtension;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Executions whose run cannot even be made: nothing has happened to the target, and it is tried again more slowly. */
@ExtendWith({ClusterExtension.class, ScenarioExtension.class})
class RunRefusalsIT {

    private final OperatorScenario scenario;
    private final KubernetesClient admin;

    RunRefusalsIT(OperatorScenario scenario) {
        this.scenario = scenario;
        this.admin = scenario.admin();
    }

    @ParameterizedTest
    @CsvSource({"count/pipelineruns.tekton.dev, false", "count/jobs.batch, true"})
    void exhaustedQuotaRefusesRun(String what, boolean job) {
        ResourceQuota quota = createQuota(what);
        try {
            CreatedExecution asked =
                    (job ? scenario.jobWorkflow("succeed") : scenario.tektonWorkflow("succeed")).create();

            StatusView ended = asked.awaitFinal()
                    .assertFailedBeforeStart("ResourceExhausted")
                    .assertConsecutiveFailures(1);

            // "exceeded", or "status unknown for" as long as the API server has not heard how much is used.
            assertThat(ended.text("failureDetails.message")).contains("quota: " + scenario.namespace(), what);
            assertBackingOffWithoutRun(asked, ended);
        } finally {
            admin.resource(quota).delete();
        }
    }

    private ResourceQuota createQuota(String what) {
        ResourceQuota quota = admin.resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withNamespace(InstalledCluster.RUN_NAMESPACE)
                        .withName(scenario.namespace())
                        .endMetadata()
                        .withNewSpec()
                        .withHard(Map.of(what, new Quantity("0")))
                        .endSpec()
                        .build())
                .create();
        // It counts for nothing until the controller has looked at it.
        ClusterAwait.untilTrue("the quota is in force", () -> {
            ResourceQuota seen = admin.resource(quota).get();
            return seen.getStatus() != null
                    && seen.getStatus().getHard() != null
                    && seen.getStatus().getHard().containsKey(what);
        });
        return quota;
    }

    @ParameterizedTest
    @CsvSource({"tekton.dev, pipelineruns, false", "batch, jobs, true"})
    void revokedPermissionRefusesRun(String group, String resource, boolean job) {
        revoke("create", group, resource);
        try {
            CreatedExecution asked =
                    (job ? scenario.jobWorkflow("succeed") : scenario.tektonWorkflow("succeed")).create();

            StatusView ended =
                    asked.awaitFinal().assertFailedBeforeStart("Forbidden").assertConsecutiveFailures(1);

            assertThat(ended.text("failureDetails.message"))
                    .contains("system:serviceaccount:kubernaut-system:escapement", "cannot create", resource);
            assertThat(ended.text("failureDetails.naturalLanguageSummary")).contains("rights of the service account");
            assertBackingOffWithoutRun(asked, ended);
        } finally {
            InstalledCluster.apply(admin, "rbac.yaml");
            ClusterAwait.untilTrue(
                    "the right is back", () -> scenario.operator().isAllowed("create", group, resource));
        }
    }

    private void revoke(String verb, String group, String resource) {
        Role role = admin.rbac()
                .roles()
                .inNamespace(InstalledCluster.RUN_NAMESPACE)
                .withName("escapement-runs")
                .require();
        for (PolicyRule rule : role.getRules()) {
            if (rule.getApiGroups().equals(List.of(group))
                    && rule.getResources().equals(List.of(resource))) {
                List<String> verbs = new ArrayList<>(rule.getVerbs());
                verbs.remove(verb);
                rule.setVerbs(verbs);
            }
        }
        admin.resource(role).update();
        ClusterAwait.untilTrue("the right is gone", () -> !scenario.operator().isAllowed(verb, group, resource));
    }

    @Test
    void missingBundleIsConfigurationError() {
        CreatedExecution asked = scenario.workflow("repair", scenario.bundles().missingReference())
                .create();

        StatusView ended =
                asked.awaitFinal().assertFailedBeforeStart("ConfigurationError").assertConsecutiveFailures(1);

        assertThat(ended.text("failureDetails.message")).contains("workflows/none", "MANIFEST_UNKNOWN");
        assertThat(ended.text("failureDetails.naturalLanguageSummary")).contains("bundle");
        scenario.entry(asked.target(), "BackingOff");
        assertThat(asked.onlyRun()).isNotNull();
    }

    @Test
    void unreachableWebhookIsReportedAsHeldUp() {
        ValidatingWebhookConfiguration away = createUnreachableWebhook();
        try {
            CreatedExecution asked = scenario.tektonWorkflow("succeed").create();

            ClusterAwait.untilTrue("somebody is told", () -> !heldUpEvents().isEmpty());

            assertThat(heldUpEvents()).singleElement().satisfies(event -> {
                assertThat(event.getType()).isEqualTo("Warning");
                assertThat(event.getInvolvedObject().getUid()).isEqualTo(asked.uid());
                assertThat(event.getMessage()).contains("will retry", "failed calling webhook");
            });
            assertThat(asked.runs()).isEmpty();
            admin.resource(away).delete();
            asked.awaitFinal().assertCompleted();
            assertThat(heldUpEvents()).hasSize(1);
        } finally {
            admin.resource(away).delete();
        }
    }

    private List<Event> heldUpEvents() {
        return admin.v1()
                .events()
                .inNamespace(scenario.namespace())
                .withField("reason", "HeldUp")
                .list()
                .getItems();
    }

    /** Nobody listens on that port; without it nothing is let through. */
    private ValidatingWebhookConfiguration createUnreachableWebhook() {
        return admin.resource(new ValidatingWebhookConfigurationBuilder()
                        .withNewMetadata()
                        .withName(scenario.namespace())
                        .endMetadata()
                        .addNewWebhook()
                        .withName("away.example.com")
                        .withNewClientConfig()
                        .withUrl("https://127.0.0.1:1/")
                        .endClientConfig()
                        .addNewRule()
                        .withApiGroups("tekton.dev")
                        .withApiVersions("*")
                        .withOperations("CREATE")
                        .withResources("pipelineruns")
                        .endRule()
                        .withFailurePolicy("Fail")
                        .withSideEffects("None")
                        .withAdmissionReviewVersions("v1")
                        .endWebhook()
                        .build())
                .create();
    }

    private void assertBackingOffWithoutRun(CreatedExecution asked, StatusView ended) {
        assertThat(ended.contains("pipelineRunRef")).isFalse();
        assertThat(asked.runs()).isEmpty();
        StatusView entry = scenario.entry(asked.target(), "BackingOff");
        assertThat(entry.time("retry.nextAllowedExecution")).isEqualTo(ended.time("nextAllowedExecution"));
        assertThat(entry.text("retry.last.uid")).isEqualTo(asked.uid());
    }
}
