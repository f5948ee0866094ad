package dev.escapement.kubernetes.run.tekton;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.port.WorkflowRunner.Preparation;
import dev.escapement.governor.failure.Failure;
import dev.escapement.governor.failure.FailureReason;
import dev.escapement.kubernetes.run.KubernetesRunnerService;
import dev.escapement.kubernetes.run.RunTestBed;
import dev.escapement.kubernetes.run.tekton.PipelineBundles.PipelineTask;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.ClusterExtension;
import dev.escapement.testkit.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** Quotas and permissions on a real API server with a real Tekton. */
@ExtendWith(ClusterExtension.class)
class TektonRefusalsIT {

    private final TestCluster cluster;

    TektonRefusalsIT(TestCluster cluster) {
        this.cluster = cluster.installTekton();
    }

    private String pushBundle() {
        return PipelineBundles.pushBundle(cluster, PipelineTask.of("cordon", "simulated.local/succeed"));
    }

    private void createQuota(String namespace, String resource) {
        cluster.admin()
                .resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("none")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .addToHard(resource, new Quantity("0"))
                        .endSpec()
                        .build())
                .create();
        ConditionPoller.await(
                "the quota is in effect",
                () -> Optional.ofNullable(cluster.admin()
                                .resourceQuotas()
                                .inNamespace(namespace)
                                .withName("none")
                                .get()
                                .getStatus())
                        .filter(status ->
                                status.getHard() != null && !status.getHard().isEmpty())
                        .isPresent());
    }

    @Test
    void refusesRunOverPipelineRunQuota() {
        try (RunTestBed testBed = RunTestBed.forTekton(cluster)) {
            createQuota(testBed.namespace(), "count/pipelineruns.tekton.dev");
            Failure failure = testBed.prepareRefused(testBed.newExecution(1, pushBundle()));
            assertThat(failure.reason()).isEqualTo(FailureReason.ResourceExhausted);
            assertThat(failure.message()).contains("quota");
            assertThat(failure.wasExecutionFailure()).isFalse();
        }
    }

    /** Waits for a timeout. */
    @Test
    @EnabledIfSystemProperty(named = "escapement.nightly", matches = "true")
    void taskRunQuotaTimesOutAsStartFailure() {
        try (RunTestBed testBed = RunTestBed.forTekton(cluster)) {
            createQuota(testBed.namespace(), "count/taskruns.tekton.dev");
            Failure failure = testBed.awaitFailure(testBed.newExecution(1, pushBundle(), Duration.ofSeconds(12)));
            assertThat(failure.reason()).isEqualTo(FailureReason.DeadlineExceeded);
            assertThat(failure.wasExecutionFailure()).isFalse();
        }
    }

    @Test
    void forbiddenTaskRunsFailAsStartFailure() {
        try (RunTestBed testBed = RunTestBed.forTekton(cluster)) {
            forbidTaskRuns(testBed.namespace());
            Failure failure = testBed.awaitFailure(testBed.newExecution(1, pushBundle(), Duration.ofSeconds(20)));
            assertThat(failure.reason()).isEqualTo(FailureReason.Forbidden);
            assertThat(failure.message()).contains("no tasks here");
            assertThat(failure.wasExecutionFailure()).isFalse();
        }
    }

    private void forbidTaskRuns(String namespace) {
        cluster.create("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicy
                metadata: {name: no-tasks}
                spec:
                  matchConstraints:
                    resourceRules:
                    - {apiGroups: [tekton.dev], apiVersions: ["*"], operations: [CREATE], resources: [taskruns]}
                  validations: [{expression: "false", message: 'forbidden: no tasks here'}]
                """);
        cluster.create("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicyBinding
                metadata: {name: no-tasks}
                spec:
                  policyName: no-tasks
                  validationActions: [Deny]
                  matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}}
                """.formatted(namespace));
        ConditionPoller.await("the policy is in effect", () -> isForbidden(namespace));
    }

    private boolean isForbidden(String namespace) {
        try {
            cluster.create("""
                    apiVersion: tekton.dev/v1
                    kind: TaskRun
                    metadata: {generateName: try-, namespace: %s}
                    spec: {status: TaskRunPending, taskRef: {name: none}}
                    """.formatted(namespace));
            return false;
        } catch (KubernetesClientException refused) {
            return String.valueOf(refused.getMessage()).contains("no tasks here");
        }
    }

    /** Waits for a timeout. */
    @Test
    @EnabledIfSystemProperty(named = "escapement.nightly", matches = "true")
    void podQuotaFailsAsStartFailure() {
        try (RunTestBed testBed = RunTestBed.forTekton(cluster)) {
            createQuota(testBed.namespace(), "count/pods");
            Failure failure = testBed.awaitFailure(testBed.newExecution(1, pushBundle(), Duration.ofSeconds(12)));
            assertThat(failure.wasExecutionFailure()).isFalse();
            assertThat(failure.failedTaskName()).contains("cordon");
        }
    }

    @Test
    void refusesRunWithoutCreatePermission() {
        String namespace = cluster.createNamespace("runs");
        KubernetesClient limited = newReaderClient(namespace);
        try (RunTestBed testBed = new RunTestBed(KubernetesRunnerService.TEKTON, limited, cluster.admin(), namespace)) {
            Failure failure = testBed.prepareRefused(testBed.newExecution(1, pushBundle()));
            assertThat(failure.reason()).isEqualTo(FailureReason.Forbidden);
            assertThat(failure.message()).contains("cannot create resource \"pipelineruns\"");
            assertThat(failure.wasExecutionFailure()).isFalse();
        }
    }

    private KubernetesClient newReaderClient(String namespace) {
        KubernetesClient admin = cluster.admin();
        admin.resource(new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withName("reader")
                        .withNamespace(namespace)
                        .endMetadata()
                        .build())
                .create();
        admin.resource(new RoleBuilder()
                        .withNewMetadata()
                        .withName("reader")
                        .withNamespace(namespace)
                        .endMetadata()
                        .addNewRule()
                        .withApiGroups("tekton.dev", "batch", "")
                        .withResources("pipelineruns", "taskruns", "jobs", "pods", "events")
                        .withVerbs("get", "list", "watch")
                        .endRule()
                        .build())
                .create();
        admin.resource(new RoleBindingBuilder()
                        .withNewMetadata()
                        .withName("reader")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", "reader")
                        .addNewSubject("", "ServiceAccount", "reader", namespace)
                        .build())
                .create();
        return cluster.kubeconfigFor(namespace, "reader").client();
    }

    @Test
    void refusesRunInTerminatingNamespace() {
        try (RunTestBed testBed = RunTestBed.forTekton(cluster)) {
            // A finalizer keeps the namespace in this state.
            Execution first = testBed.newExecution(1, pushBundle());
            testBed.runnerService().prepare(first);
            cluster.admin()
                    .resources(PipelineRun.class)
                    .inNamespace(testBed.namespace())
                    .list()
                    .getItems()
                    .forEach(run -> cluster.admin()
                            .resource(run)
                            .patch(
                                    PatchContext.of(PatchType.JSON_MERGE),
                                    "{\"metadata\":{\"finalizers\":[\"test.example/hold\"]}}"));
            cluster.admin().namespaces().withName(testBed.namespace()).delete();
            Failure failure = ConditionPoller.awaitPresent("the namespace is terminating", () -> {
                Execution execution = testBed.newExecution(2, pushBundle());
                return testBed.runnerService().prepare(execution) instanceof Preparation.Refused
                        ? Optional.of(testBed.prepareRefused(execution))
                        : Optional.empty();
            });
            assertThat(failure.reason()).isEqualTo(FailureReason.Forbidden);
            assertThat(failure.message()).contains("being terminated");
            assertThat(failure.wasExecutionFailure()).isFalse();
        }
    }
}
