package dev.escapement.server.http.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.ConditionPoller;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestPoolTest {

    private static final RequestFlow LISTS = new RequestFlow("127.0.0.1", "ada", "/api/v1/executions");
    private static final RequestFlow POLICY = new RequestFlow("127.0.0.1", "ada", "/api/v1/policy");

    private final RequestPool pool = new RequestPool("request-pool-test", 4);
    private final CountDownLatch databaseAnswers = new CountDownLatch(1);
    private final AtomicInteger blocked = new AtomicInteger();
    private final AtomicInteger finished = new AtomicInteger();
    private final Map<RequestFlow, Integer> rejected = new ConcurrentHashMap<>();

    @AfterEach
    void stop() {
        databaseAnswers.countDown();
        pool.stop();
    }

    @Test
    void processesOtherFlowsWhileOneWaitsForDatabase() {
        addBlocked(LISTS, 20);
        ConditionPoller.await("half of the threads wait", () -> blocked.get() == 2);

        pool.execute(POLICY, task(POLICY, () -> {}));

        ConditionPoller.await("the other flow is processed", () -> finished.get() == 1);
        assertThat(blocked).hasValue(2);
    }

    @Test
    void processesAllRequestsOfFlowThatWaited() {
        addBlocked(LISTS, 20);
        ConditionPoller.await("half of the threads wait", () -> blocked.get() == 2);

        databaseAnswers.countDown();

        ConditionPoller.await("all are processed", () -> finished.get() == 20);
    }

    @Test
    void rejectsRequestsOfLongestFlowOnly() {
        addBlocked(LISTS, 1_002);
        addBlocked(POLICY, 3);
        assertThat(rejected).containsOnlyKeys(LISTS);

        databaseAnswers.countDown();

        ConditionPoller.await(
                "all others are processed", () -> finished.get() == 1_005 - rejected.getOrDefault(LISTS, 0));
    }

    private void addBlocked(RequestFlow flow, int count) {
        for (int i = 0; i < count; i++) {
            pool.execute(flow, task(flow, () -> {
                blocked.incrementAndGet();
                awaitDatabase();
            }));
        }
    }

    private void awaitDatabase() {
        try {
            databaseAnswers.await();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private RequestPool.RequestTask task(RequestFlow flow, Runnable work) {
        return new RequestPool.RequestTask() {
            @Override
            public void run() {
                work.run();
                finished.incrementAndGet();
            }

            @Override
            public void reject() {
                rejected.merge(flow, 1, Integer::sum);
            }
        };
    }
}
