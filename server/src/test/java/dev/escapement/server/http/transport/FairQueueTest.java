package dev.escapement.server.http.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FairQueueTest {

    private final FairQueue<String, String> queue = new FairQueue<>(6, 2);

    @Test
    void servesFlowsInTurnHoweverLongOneIs() {
        addAll("burst", "b1", "b2", "b3");
        addAll("other", "o1");
        addAll("third", "t1", "t2");

        assertThat(pollAll()).containsExactly("b3", "o1", "t2", "b2", "t1", "b1");
    }

    @Test
    void newFlowWaitsForOneTurnOfEachOther() {
        addAll("burst", "b1", "b2", "b3");
        assertThat(queue.poll()).contains(new FairQueue.Taken<>("burst", "b3"));
        queue.finish("burst");
        addAll("other", "o1");

        assertThat(pollAll()).containsExactly("b2", "o1", "b1");
    }

    @Test
    void servesNewestOfFlowFirst() {
        addAll("burst", "b1", "b2", "b3");

        assertThat(pollAll()).containsExactly("b3", "b2", "b1");
    }

    @Test
    void dropsOldestOfLongestFlowWhenFull() {
        addAll("other", "o1");
        addAll("burst", "b1", "b2", "b3", "b4", "b5");

        assertThat(queue.add("third", "t1")).contains("b1");
        assertThat(queue.add("burst", "b6")).contains("b2");
        assertThat(pollAll()).containsExactly("o1", "b6", "t1", "b5", "b4", "b3");
    }

    @Test
    void dropsTaskOfFlowThatHasOnlyOne() {
        for (int flow = 1; flow <= 6; flow++) {
            addAll("f" + flow, "t" + flow);
        }

        Optional<String> dropped = queue.add("f7", "t7");

        assertThat(dropped).isPresent();
        assertThat(pollAll()).hasSize(6).contains("t7").doesNotContain(dropped.get());
    }

    @Test
    void emptyQueueHasNoTask() {
        assertThat(queue.poll()).isEmpty();
        addAll("burst", "b1");
        assertThat(pollAll()).containsExactly("b1");
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void flowThatRunsEnoughWaitsUntilOneFinishes() {
        addAll("burst", "b1", "b2", "b3");
        assertThat(queue.poll()).isPresent();
        assertThat(queue.poll()).isPresent();
        assertThat(queue.poll()).isEmpty();

        addAll("other", "o1");
        assertThat(queue.poll()).contains(new FairQueue.Taken<>("other", "o1"));

        queue.finish("burst");
        assertThat(queue.poll()).contains(new FairQueue.Taken<>("burst", "b1"));
    }

    @Test
    void refusesLimitsBelowOne() {
        assertThatThrownBy(() -> new FairQueue<String, String>(0, 1)).hasMessageContaining("capacity is 0");
        assertThatThrownBy(() -> new FairQueue<String, String>(1, 0)).hasMessageContaining("maxRunningPerFlow is 0");
    }

    private void addAll(String flow, String... tasks) {
        for (String task : tasks) {
            assertThat(queue.add(flow, task)).isEmpty();
        }
    }

    private List<String> pollAll() {
        List<String> tasks = new ArrayList<>();
        for (var taken = queue.poll(); taken.isPresent(); taken = queue.poll()) {
            tasks.add(taken.get().task());
            queue.finish(taken.get().flow());
        }
        return tasks;
    }
}
