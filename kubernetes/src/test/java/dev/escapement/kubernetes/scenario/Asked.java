package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.run.Eventually;
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
final class Asked {

    private final KubernetesClient admin;
    private final WorkflowExecution made;
    private boolean given = true;
    private boolean runGiven = true;

    Asked(KubernetesClient admin, WorkflowExecution made) {
        this.admin = admin;
        this.made = made;
    }

    String name() {
        return made.getMetadata().getName();
    }

    String namespace() {
        return made.getMetadata().getNamespace();
    }

    String uid() {
        return made.getMetadata().getUid();
    }

    String target() {
        return String.valueOf(made.getSpec().get("targetResource"));
    }

    /** As people name it. */
    String title() {
        return namespace() + "/" + name();
    }

    private Resource<WorkflowExecution> resource() {
        return admin.resources(WorkflowExecution.class).inNamespace(namespace()).withName(name());
    }

    Seen status() {
        return Seen.of(resource().require().getStatus());
    }

    Seen await(String what, Predicate<Seen> condition) {
        return Eventually.is(
                title() + " is " + what, () -> Optional.of(status()).filter(condition));
    }

    Seen running() {
        return await("Running or final", seen -> seen.at("phase").equals("Running") || seen.isFinal());
    }

    /** How it ended. */
    Seen ended() {
        return await("final", Seen::isFinal);
    }

    void cancel(String who) {
        resource()
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}"
                                .formatted(ExecutionDocument.CANCELLED_BY, who));
    }

    /** Keeps it from going when it is deleted. */
    void keep() {
        finalizers("[\"test.example/keep\"]");
    }

    /** Lets it go. */
    void letGo() {
        finalizers("null");
    }

    private void finalizers(String value) {
        resource().patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":%s}}".formatted(value));
    }

    void delete() {
        isGone();
        resource().delete();
    }

    /** Somebody deletes it, and with it what was told of it. */
    void isGone() {
        given = false;
    }

    /** Somebody deletes its run. */
    void runIsGone() {
        runGiven = false;
    }

    /** Its runs, whatever their kind. */
    List<GenericKubernetesResource> runs() {
        List<GenericKubernetesResource> all = new ArrayList<>();
        for (String[] kind : new String[][] {{"tekton.dev/v1", "PipelineRun"}, {"batch/v1", "Job"}}) {
            all.addAll(admin.genericKubernetesResources(kind[0], kind[1])
                    .inNamespace(Installed.RUNS)
                    .withLabel(RunLabels.EXECUTION_UID, uid())
                    .list()
                    .getItems());
        }
        return all;
    }

    /** Its one run. */
    GenericKubernetesResource run() {
        List<GenericKubernetesResource> all = runs();
        assertThat(all).as("runs of %s", title()).hasSize(1);
        return all.get(0);
    }

    /** Asks after the end of all scenarios: its run is there if it ever had one, and everything was told once. */
    void check() {
        if (given) {
            Seen last = status();
            if (last.has("pipelineRunRef") && runGiven) {
                assertThat(run().getMetadata().getUid()).isEqualTo(last.at("pipelineRunRef.uid"));
            } else {
                assertThat(runs()).as("runs of %s", title()).isEmpty();
            }
            Eventually.holds(title() + " is told as " + expected(last), () -> told().containsAll(expected(last)));
            assertThat(told()).as(title()).doesNotHaveDuplicates();
        }
    }

    private static List<String> expected(Seen last) {
        boolean ran = last.has("pipelineRunRef");
        List<String> all = new ArrayList<>();
        if (ran) {
            all.add("PipelineRunCreated");
        }
        if (last.isFinal()) {
            all.add("Workflow" + last.at("phase"));
        }
        if (last.isFinal() && (ran || last.has("consecutiveFailures"))) {
            all.add("LockReleased");
        }
        return all;
    }

    /** The reasons of the Events about it. */
    List<String> told() {
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
