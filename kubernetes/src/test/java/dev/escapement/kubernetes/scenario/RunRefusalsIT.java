package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.ConditionPoller;
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

/** Executions whose run cannot be created: the target is unchanged and backs off. */
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
    void exhaustedQuotaRefusesRun(String resource, boolean job) {
        ResourceQuota quota = createQuota(resource);
        try {
            CreatedExecution execution =
                    (job ? scenario.jobWorkflow("succeed") : scenario.tektonWorkflow("succeed")).create();

            StatusView finalStatus = execution
                    .awaitFinal()
                    .assertFailedBeforeStart("ResourceExhausted")
                    .assertConsecutiveFailures(1);

            // "exceeded", or "status unknown for" until the API server knows the usage.
            assertThat(finalStatus.text("failureDetails.message")).contains("quota: " + scenario.namespace(), resource);
            assertBackingOffWithoutRun(execution, finalStatus);
        } finally {
            admin.resource(quota).delete();
        }
    }

    private ResourceQuota createQuota(String resource) {
        ResourceQuota quota = admin.resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withNamespace(InstalledCluster.RUN_NAMESPACE)
                        .withName(scenario.namespace())
                        .endMetadata()
                        .withNewSpec()
                        .withHard(Map.of(resource, new Quantity("0")))
                        .endSpec()
                        .build())
                .create();
        // It has no effect until the controller has processed it.
        ConditionPoller.await("the quota is in effect", () -> {
            ResourceQuota status = admin.resource(quota).get();
            return status.getStatus() != null
                    && status.getStatus().getHard() != null
                    && status.getStatus().getHard().containsKey(resource);
        });
        return quota;
    }

    @ParameterizedTest
    @CsvSource({"tekton.dev, pipelineruns, false", "batch, jobs, true"})
    void revokedPermissionRefusesRun(String group, String resource, boolean job) {
        revoke("create", group, resource);
        try {
            CreatedExecution execution =
                    (job ? scenario.jobWorkflow("succeed") : scenario.tektonWorkflow("succeed")).create();

            StatusView finalStatus =
                    execution.awaitFinal().assertFailedBeforeStart("Forbidden").assertConsecutiveFailures(1);

            assertThat(finalStatus.text("failureDetails.message"))
                    .contains("system:serviceaccount:kubernaut-system:escapement", "cannot create", resource);
            assertThat(finalStatus.text("failureDetails.naturalLanguageSummary"))
                    .contains("rights of the service account");
            assertBackingOffWithoutRun(execution, finalStatus);
        } finally {
            InstalledCluster.apply(admin, "rbac.yaml");
            ConditionPoller.await(
                    "the permission is restored", () -> scenario.operator().isAllowed("create", group, resource));
        }
    }

    /** The run is prepared and the target acquired; the patch that starts the run is forbidden. */
    @Test
    void revokedPermissionToStartRunEndsWithinLimit() {
        scenario.updatePolicy(Map.of("executor-timeout", "4s"));
        revoke("patch", "batch", "jobs");
        try {
            CreatedExecution execution = scenario.jobWorkflow("succeed").create();
            execution.markRunDeleted();

            StatusView finalStatus = execution
                    .awaitFinal()
                    .assertFailedBeforeStart("PipelineRunCreationFailed")
                    .assertConsecutiveFailures(1);

            assertThat(finalStatus.text("failureDetails.message")).contains("cannot patch", "jobs");
            scenario.entry(execution.target(), "BackingOff");
            assertThat(execution.runs()).isEmpty();
        } finally {
            InstalledCluster.apply(admin, "rbac.yaml");
            ConditionPoller.await(
                    "the permission is restored", () -> scenario.operator().isAllowed("patch", "batch", "jobs"));
        }
    }

    /** The quota is on pods, so that the Job itself can be created. */
    @Test
    void jobWhosePodExceedsQuotaIsResourceExhausted() {
        ResourceQuota quota = createQuota("pods");
        try {
            CreatedExecution execution = scenario.jobWorkflow("succeed").create();

            StatusView finalStatus = execution
                    .awaitFinal()
                    .assertFailedBeforeStart("ResourceExhausted")
                    .assertConsecutiveFailures(1);

            assertThat(finalStatus.text("failureDetails.message")).contains("exceeded quota", "pods");
            scenario.entry(execution.target(), "BackingOff");
        } finally {
            admin.resource(quota).delete();
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
        ConditionPoller.await(
                "the permission is revoked", () -> !scenario.operator().isAllowed(verb, group, resource));
    }

    @Test
    void missingBundleIsConfigurationError() {
        CreatedExecution execution = scenario.workflow(
                        "repair", scenario.bundles().missingReference())
                .create();

        StatusView finalStatus = execution
                .awaitFinal()
                .assertFailedBeforeStart("ConfigurationError")
                .assertConsecutiveFailures(1);

        assertThat(finalStatus.text("failureDetails.message")).contains("workflows/none", "MANIFEST_UNKNOWN");
        assertThat(finalStatus.text("failureDetails.naturalLanguageSummary")).contains("bundle");
        scenario.entry(execution.target(), "BackingOff");
        assertThat(execution.onlyRun()).isNotNull();
    }

    /** The Job controller cannot create the pod, and retries for as long as the Job exists. */
    @Test
    void jobWithMissingServiceAccountIsForbidden() {
        CreatedExecution execution =
                scenario.jobWorkflow("succeed").withServiceAccount("missing").create();

        StatusView finalStatus =
                execution.awaitFinal().assertFailedBeforeStart("Forbidden").assertConsecutiveFailures(1);

        assertThat(finalStatus.text("failureDetails.message")).contains("serviceaccount \"missing\" not found");
        scenario.entry(execution.target(), "BackingOff");
        execution.delete();
        ConditionPoller.await("the Job is deleted", () -> execution.runs().isEmpty());
        ConditionPoller.await(
                "the target is free",
                () -> scenario.entry(execution.target())
                        .filter(entry -> !entry.text("state").equals("Free"))
                        .isEmpty());
    }

    @Test
    void unreachableWebhookIsReportedAsHeldUp() {
        ValidatingWebhookConfiguration webhook = createUnreachableWebhook();
        try {
            CreatedExecution execution = scenario.tektonWorkflow("succeed").create();

            ConditionPoller.await("the Event HeldUp", () -> !heldUpEvents().isEmpty());

            assertThat(heldUpEvents()).singleElement().satisfies(event -> {
                assertThat(event.getType()).isEqualTo("Warning");
                assertThat(event.getInvolvedObject().getUid()).isEqualTo(execution.uid());
                assertThat(event.getMessage()).contains("will retry", "failed calling webhook");
            });
            assertThat(execution.runs()).isEmpty();
            admin.resource(webhook).delete();
            execution.awaitFinal().assertCompleted();
            assertThat(heldUpEvents()).hasSize(1);
        } finally {
            admin.resource(webhook).delete();
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

    /** Nothing listens on its port, and it fails closed. */
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

    private void assertBackingOffWithoutRun(CreatedExecution execution, StatusView finalStatus) {
        assertThat(finalStatus.contains("pipelineRunRef")).isFalse();
        assertThat(execution.runs()).isEmpty();
        StatusView entry = scenario.entry(execution.target(), "BackingOff");
        assertThat(entry.time("retry.nextAllowedExecution")).isEqualTo(finalStatus.time("nextAllowedExecution"));
        assertThat(entry.text("retry.last.uid")).isEqualTo(execution.uid());
    }
}
