package dev.escapement.kubernetes.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.Engine;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.port.ExecutionStore;
import dev.escapement.governor.Policy;
import dev.escapement.kubernetes.resource.ExecutionCodec;
import dev.escapement.kubernetes.resource.WorkflowExecution;
import dev.escapement.kubernetes.store.ItemView;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whoever asked for an execution hears that the API server refuses what has to be done next. */
class RefusalsTest {

    private final RuntimeException refusal = answer(500, "a webhook does not answer");
    private final RuntimeException conflict = answer(409, "somebody was faster");

    private final ItemView<WorkflowExecution> executions = new ItemView<>();
    private final List<String> told = new ArrayList<>();
    private final ExecutionStore store = new TroubledStore(this::trouble);
    private RuntimeException trouble = refusal;
    private final ExecutionReconciler reconciler = new ExecutionReconciler(
            executions,
            new Engine(store, new NoRunner(), () -> Policy.DEFAULT),
            new Unreadable(store, new ItemView<>(), () -> ExecutionSamples.NOW),
            new SimpleInboundEventSource<>("runs"),
            () -> ExecutionSamples.NOW,
            (execution, said) -> told.add(execution.getMetadata().getName() + ": " + said));

    private static RuntimeException answer(int code, String message) {
        return new KubernetesClientException(
                new StatusBuilder().withCode(code).withMessage(message).build());
    }

    @BeforeEach
    void ask() {
        executions.put("ops/e1", asked());
    }

    private RuntimeException trouble() {
        return trouble;
    }

    private static WorkflowExecution asked() {
        WorkflowExecution resource = ExecutionCodec.request(ExecutionSamples.execution(1));
        resource.getMetadata().setUid("uid");
        resource.getMetadata().setResourceVersion("1");
        resource.getMetadata().setCreationTimestamp(ExecutionSamples.NOW.toString());
        return resource;
    }

    private Duration look(RuntimeException with) {
        trouble = with;
        return reconciler.look(new ResourceID("e1", "ops")).orElseThrow();
    }

    private void refuse(int times) {
        for (int time = 0; time < times; time++) {
            look(refusal);
        }
    }

    @Test
    void theyHearOfTheSixthRefusal() {
        refuse(5);
        assertThat(told).isEmpty();
        refuse(1);
        assertThat(told).containsExactly("e1: a webhook does not answer");
    }

    @Test
    void theyHearOfItAlsoIfSomethingElseCameInBetween() {
        refuse(5);
        look(conflict);
        look(conflict);
        refuse(1);
        assertThat(told).hasSize(1);
    }

    /** The API server forgets Events after an hour. */
    @Test
    void theyHearOfItAgainWhileItLasts() {
        refuse(18);
        assertThat(told).hasSize(3);
    }

    @Test
    void anotherOneOfTheSameNameBeginsAnew() {
        refuse(5);
        assertThat(look(conflict)).isGreaterThan(Duration.ofSeconds(1));
        executions.onDelete(reconciler::deleted);
        executions.remove("ops/e1");
        executions.put("ops/e1", asked());
        assertThat(look(conflict)).isLessThan(Duration.ofMillis(200));
        refuse(5);
        assertThat(told).isEmpty();
    }
}
