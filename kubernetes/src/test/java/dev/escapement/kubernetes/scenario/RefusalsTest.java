package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.testing.ClusterExtension;
import dev.escapement.kubernetes.run.Eventually;
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
class RefusalsTest {

    private final Scenario scenario;
    private final KubernetesClient admin;

    RefusalsTest(Scenario scenario) {
        this.scenario = scenario;
        this.admin = scenario.admin();
    }

    @ParameterizedTest
    @CsvSource({"count/pipelineruns.tekton.dev, false", "count/jobs.batch, true"})
    void aQuotaThatIsUsedUpRefusesTheRun(String what, boolean job) {
        ResourceQuota quota = quota(what);
        try {
            Asked asked = (job ? scenario.job("succeed") : scenario.tekton("succeed")).go();

            Seen ended = asked.ended().failedBefore("ResourceExhausted").counts(1);

            // "exceeded", or "status unknown for" as long as the API server has not heard how much is used.
            assertThat(ended.at("failureDetails.message")).contains("quota: " + scenario.namespace(), what);
            isBackingOffWithoutARun(asked, ended);
        } finally {
            admin.resource(quota).delete();
        }
    }

    private ResourceQuota quota(String what) {
        ResourceQuota quota = admin.resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withNamespace(Installed.RUNS)
                        .withName(scenario.namespace())
                        .endMetadata()
                        .withNewSpec()
                        .withHard(Map.of(what, new Quantity("0")))
                        .endSpec()
                        .build())
                .create();
        // It counts for nothing until the controller has looked at it.
        Eventually.holds("the quota is in force", () -> {
            ResourceQuota seen = admin.resource(quota).get();
            return seen.getStatus() != null
                    && seen.getStatus().getHard() != null
                    && seen.getStatus().getHard().containsKey(what);
        });
        return quota;
    }

    @ParameterizedTest
    @CsvSource({"tekton.dev, pipelineruns, false", "batch, jobs, true"})
    void aRightThatWasTakenAwayRefusesTheRun(String group, String resource, boolean job) {
        takeAway("create", group, resource);
        try {
            Asked asked = (job ? scenario.job("succeed") : scenario.tekton("succeed")).go();

            Seen ended = asked.ended().failedBefore("Forbidden").counts(1);

            assertThat(ended.at("failureDetails.message"))
                    .contains("system:serviceaccount:kubernaut-system:escapement", "cannot create", resource);
            assertThat(ended.at("failureDetails.naturalLanguageSummary")).contains("rights of the service account");
            isBackingOffWithoutARun(asked, ended);
        } finally {
            Installed.apply(admin, "rbac.yaml");
            Eventually.holds("the right is back", () -> scenario.operator().may("create", group, resource));
        }
    }

    private void takeAway(String verb, String group, String resource) {
        Role role = admin.rbac()
                .roles()
                .inNamespace(Installed.RUNS)
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
        Eventually.holds("the right is gone", () -> !scenario.operator().may(verb, group, resource));
    }

    @Test
    void aBundleThatDoesNotExistIsAMistakeOfTheRequest() {
        Asked asked = scenario.workflow("repair", scenario.bundles().missing()).go();

        Seen ended = asked.ended().failedBefore("ConfigurationError").counts(1);

        assertThat(ended.at("failureDetails.message")).contains("workflows/none", "MANIFEST_UNKNOWN");
        assertThat(ended.at("failureDetails.naturalLanguageSummary")).contains("bundle");
        scenario.entry(asked.target(), "BackingOff");
        assertThat(asked.run()).isNotNull();
    }

    @Test
    void aWebhookThatDoesNotAnswerHoldsUpAndThatIsTold() {
        ValidatingWebhookConfiguration away = webhookThatIsAway();
        try {
            Asked asked = scenario.tekton("succeed").go();

            Eventually.holds("somebody is told", () -> !heldUp().isEmpty());

            assertThat(heldUp()).singleElement().satisfies(event -> {
                assertThat(event.getType()).isEqualTo("Warning");
                assertThat(event.getInvolvedObject().getUid()).isEqualTo(asked.uid());
                assertThat(event.getMessage()).contains("it is tried again", "failed calling webhook");
            });
            assertThat(asked.runs()).isEmpty();
            admin.resource(away).delete();
            asked.ended().completed();
            assertThat(heldUp()).hasSize(1);
        } finally {
            admin.resource(away).delete();
        }
    }

    private List<Event> heldUp() {
        return admin.v1()
                .events()
                .inNamespace(scenario.namespace())
                .withField("reason", "HeldUp")
                .list()
                .getItems();
    }

    /** Nobody listens on that port; without it nothing is let through. */
    private ValidatingWebhookConfiguration webhookThatIsAway() {
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

    private void isBackingOffWithoutARun(Asked asked, Seen ended) {
        assertThat(ended.has("pipelineRunRef")).isFalse();
        assertThat(asked.runs()).isEmpty();
        Seen entry = scenario.entry(asked.target(), "BackingOff");
        assertThat(entry.time("retry.nextAllowedExecution")).isEqualTo(ended.time("nextAllowedExecution"));
        assertThat(entry.at("retry.last.uid")).isEqualTo(asked.uid());
    }
}
