package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.ApiGroup;
import dev.escapement.kubernetes.run.RunLabels;
import dev.escapement.testkit.ConditionPoller;
import dev.escapement.testkit.cluster.UntypedExecution;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** An execution that a test has created. */
final class CreatedExecution {

    private final KubernetesClient admin;
    private final UntypedExecution created;
    private boolean exists = true;
    private boolean runExists = true;

    CreatedExecution(KubernetesClient admin, UntypedExecution created) {
        this.admin = admin;
        this.created = created;
    }

    String name() {
        return created.getMetadata().getName();
    }

    String namespace() {
        return created.getMetadata().getNamespace();
    }

    String uid() {
        return created.getMetadata().getUid();
    }

    Instant createdAt() {
        return Instant.parse(created.getMetadata().getCreationTimestamp());
    }

    String target() {
        return String.valueOf(created.getSpec().get("targetResource"));
    }

    String qualifiedName() {
        return namespace() + "/" + name();
    }

    private Resource<UntypedExecution> resource() {
        return admin.resources(UntypedExecution.class).inNamespace(namespace()).withName(name());
    }

    StatusView status() {
        return StatusView.of(resource().require().getStatus());
    }

    StatusView await(String what, Predicate<StatusView> condition) {
        return ConditionPoller.awaitPresent(
                qualifiedName() + " is " + what, () -> Optional.of(status()).filter(condition));
    }

    StatusView awaitRunning() {
        return await("Running or final", status -> status.text("phase").equals("Running") || status.isFinal());
    }

    StatusView awaitFinal() {
        return await("final", StatusView::isFinal);
    }

    void cancel(String actor) {
        resource()
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}".formatted(ApiGroup.CANCELLED_BY, actor));
    }

    /** Keeps a deleted execution in the cluster. */
    void addFinalizer() {
        setFinalizers("[\"test.example/keep\"]");
    }

    /** Completes the deletion. */
    void removeFinalizer() {
        setFinalizers("null");
    }

    private void setFinalizers(String value) {
        resource().patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":%s}}".formatted(value));
    }

    void delete() {
        markDeleted();
        resource().delete();
    }

    /** Records that the execution, and with it its Events, will be deleted. */
    void markDeleted() {
        exists = false;
    }

    /** Records that its run will be deleted. */
    void markRunDeleted() {
        runExists = false;
    }

    /** Returns its runs of all kinds. */
    List<GenericKubernetesResource> runs() {
        List<GenericKubernetesResource> runs = new ArrayList<>();
        for (String[] kind : new String[][] {{"tekton.dev/v1", "PipelineRun"}, {"batch/v1", "Job"}}) {
            runs.addAll(admin.genericKubernetesResources(kind[0], kind[1])
                    .inNamespace(InstalledCluster.RUN_NAMESPACE)
                    .withLabel(RunLabels.EXECUTION_UID, uid())
                    .list()
                    .getItems());
        }
        return runs;
    }

    GenericKubernetesResource onlyRun() {
        List<GenericKubernetesResource> runs = runs();
        assertThat(runs).as("runs of %s", qualifiedName()).hasSize(1);
        return runs.get(0);
    }

    /**
     * Asserts, after all scenarios, that its run still exists if it had one and that every transition was published
     * once.
     */
    void verifyRunAndEvents() {
        if (exists) {
            StatusView last = status();
            if (last.contains("pipelineRunRef") && runExists) {
                assertThat(onlyRun().getMetadata().getUid()).isEqualTo(last.text("pipelineRunRef.uid"));
            } else {
                assertThat(runs()).as("runs of %s", qualifiedName()).isEmpty();
            }
            ConditionPoller.await(
                    qualifiedName() + " has the Events " + expectedReasons(last),
                    () -> eventReasons().containsAll(expectedReasons(last)));
            assertThat(eventReasons()).as(qualifiedName()).doesNotHaveDuplicates();
        }
    }

    private static List<String> expectedReasons(StatusView last) {
        boolean ran = last.contains("pipelineRunRef");
        List<String> reasons = new ArrayList<>();
        if (ran) {
            reasons.add("PipelineRunCreated");
        }
        if (last.isFinal()) {
            reasons.add("Workflow" + last.text("phase"));
        }
        // An invalid request is counted without acquiring its target.
        boolean invalid = last.contains("failureDetails")
                && last.text("failureDetails.reason").equals("ValidationError");
        if (last.isFinal() && !invalid && (ran || last.contains("consecutiveFailures"))) {
            reasons.add("LockReleased");
        }
        return reasons;
    }

    /** Returns the reasons of its Events. */
    List<String> eventReasons() {
        List<Event> events = events();
        assertThat(events).allMatch(event -> event.getCount() == 1);
        return events.stream().map(Event::getReason).toList();
    }

    List<Event> events() {
        return admin.v1()
                .events()
                .inNamespace(namespace())
                .withField("involvedObject.uid", uid())
                .list()
                .getItems();
    }
}
