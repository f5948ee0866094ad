package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.run.ClusterAwait;
import dev.escapement.kubernetes.run.RunLabels;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** An execution that was asked for. */
final class CreatedExecution {

    private final KubernetesClient admin;
    private final WorkflowExecution created;
    private boolean exists = true;
    private boolean runExists = true;

    CreatedExecution(KubernetesClient admin, WorkflowExecution made) {
        this.admin = admin;
        this.created = made;
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

    String target() {
        return String.valueOf(created.getSpec().get("targetResource"));
    }

    /** As people name it. */
    String qualifiedName() {
        return namespace() + "/" + name();
    }

    private Resource<WorkflowExecution> resource() {
        return admin.resources(WorkflowExecution.class).inNamespace(namespace()).withName(name());
    }

    StatusView status() {
        return StatusView.of(resource().require().getStatus());
    }

    StatusView await(String what, Predicate<StatusView> condition) {
        return ClusterAwait.untilPresent(
                qualifiedName() + " is " + what, () -> Optional.of(status()).filter(condition));
    }

    StatusView awaitRunning() {
        return await("Running or final", seen -> seen.text("phase").equals("Running") || seen.isFinal());
    }

    /** How it ended. */
    StatusView awaitFinal() {
        return await("final", StatusView::isFinal);
    }

    void cancel(String who) {
        resource()
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}"
                                .formatted(ExecutionDocument.CANCELLED_BY, who));
    }

    /** Keeps it from going when it is deleted. */
    void addFinalizer() {
        setFinalizers("[\"test.example/keep\"]");
    }

    /** Lets it go. */
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

    /** Somebody deletes it, and with it what was told of it. */
    void markDeleted() {
        exists = false;
    }

    /** Somebody deletes its run. */
    void markRunDeleted() {
        runExists = false;
    }

    /** Its runs, whatever their kind. */
    List<GenericKubernetesResource> runs() {
        List<GenericKubernetesResource> all = new ArrayList<>();
        for (String[] kind : new String[][] {{"tekton.dev/v1", "PipelineRun"}, {"batch/v1", "Job"}}) {
            all.addAll(admin.genericKubernetesResources(kind[0], kind[1])
                    .inNamespace(InstalledCluster.RUN_NAMESPACE)
                    .withLabel(RunLabels.EXECUTION_UID, uid())
                    .list()
                    .getItems());
        }
        return all;
    }

    /** Its one run. */
    GenericKubernetesResource onlyRun() {
        List<GenericKubernetesResource> all = runs();
        assertThat(all).as("runs of %s", qualifiedName()).hasSize(1);
        return all.get(0);
    }

    /** Asks after the end of all scenarios: its run is there if it ever had one, and everything was told once. */
    void verifyRunAndEvents() {
        if (exists) {
            StatusView last = status();
            if (last.contains("pipelineRunRef") && runExists) {
                assertThat(onlyRun().getMetadata().getUid()).isEqualTo(last.text("pipelineRunRef.uid"));
            } else {
                assertThat(runs()).as("runs of %s", qualifiedName()).isEmpty();
            }
            ClusterAwait.untilTrue(
                    qualifiedName() + " is told as " + expectedReasons(last),
                    () -> eventReasons().containsAll(expectedReasons(last)));
            assertThat(eventReasons()).as(qualifiedName()).doesNotHaveDuplicates();
        }
    }

    private static List<String> expectedReasons(StatusView last) {
        boolean ran = last.contains("pipelineRunRef");
        List<String> all = new ArrayList<>();
        if (ran) {
            all.add("PipelineRunCreated");
        }
        if (last.isFinal()) {
            all.add("Workflow" + last.text("phase"));
        }
        if (last.isFinal() && (ran || last.contains("consecutiveFailures"))) {
            all.add("LockReleased");
        }
        return all;
    }

    /** The reasons of the Events about it. */
    List<String> eventReasons() {
        List<Event> events = admin.v1()
                .events()
                .inNamespace(namespace())
                .withField("involvedObject.uid", uid())
                .list()
                .getItems();
        assertThat(events).allMatch(event -> event.getCount() == 1);
        return events.stream().map(Event::getReason).toList();
    }
}
