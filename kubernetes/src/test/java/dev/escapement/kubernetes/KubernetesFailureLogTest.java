package dev.escapement.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class KubernetesFailureLogTest {

    private final Exception apiServerDown = new IllegalStateException("the API server is down");

    private final List<String> warnings = new ArrayList<>();
    private final List<String> recoveries = new ArrayList<>();
    private final Deque<Runnable> scheduledChecks = new ArrayDeque<>();
    private long now = Duration.ofDays(-1).toNanos();
    private final KubernetesFailureLog failureLog =
            new KubernetesFailureLog("tidying", () -> now, scheduledChecks::add, warnings::add, recoveries::add);

    private void advance(Duration time) {
        now += time.toNanos();
    }

    private void runRecoveryCheck() {
        scheduledChecks.remove().run();
    }

    @Test
    void logsFirstFailureWithCause() {
        failureLog.recordFailure("node-1", apiServerDown);

        assertThat(warnings).singleElement().asString().contains("tidying", "node-1", "the API server is down");
    }

    @Test
    void logsRepeatedFailuresOncePerMinuteWithCount() {
        for (int second = 0; second < 150; second++) {
            failureLog.recordFailure("node-" + second, apiServerDown);
            advance(Duration.ofSeconds(1));
        }

        assertThat(warnings).hasSize(3);
        assertThat(warnings.get(1)).contains("61 attempts", "node-60");
        assertThat(warnings.get(2)).contains("121 attempts", "node-120");
        assertThat(recoveries).isEmpty();
    }

    @Test
    void logsIntermittentFailuresOnce() {
        for (int call = 0; call < 50; call++) {
            if (call % 10 == 0) {
                failureLog.recordFailure("node-" + call, apiServerDown);
            } else {
                failureLog.recordSuccess();
            }
        }
        runRecoveryCheck();

        assertThat(warnings).hasSize(1);
        assertThat(recoveries).isEmpty();
        assertThat(scheduledChecks).as("the check scheduled meanwhile").hasSize(1);
    }

    @Test
    void logsRecoveryOnceAfterQuietPeriod() {
        failureLog.recordFailure("node-1", apiServerDown);
        failureLog.recordFailure("node-2", apiServerDown);
        failureLog.recordSuccess();
        failureLog.recordSuccess();
        assertThat(recoveries).isEmpty();

        runRecoveryCheck();

        assertThat(recoveries).singleElement().asString().contains("tidying works again", "2 attempts");
        assertThat(scheduledChecks).isEmpty();
    }

    @Test
    void logsRecoveryWithoutFurtherCalls() {
        failureLog.recordFailure("node-1", apiServerDown);
        failureLog.recordSuccess();
        failureLog.recordFailure("node-1", apiServerDown);
        failureLog.recordSuccess();

        runRecoveryCheck();
        assertThat(recoveries).isEmpty();
        runRecoveryCheck();

        assertThat(recoveries).hasSize(1);
    }

    @Test
    void doesNotLogRecoveryWithoutSuccessAfterFailure() {
        failureLog.recordFailure("node-1", apiServerDown);
        failureLog.recordSuccess();
        failureLog.recordFailure("node-1", apiServerDown);

        runRecoveryCheck();

        assertThat(recoveries).isEmpty();
        assertThat(scheduledChecks).isEmpty();
    }

    @Test
    void logsNextFailureAfterRecoveryAsFirst() {
        failureLog.recordFailure("node-1", apiServerDown);
        failureLog.recordSuccess();
        runRecoveryCheck();

        failureLog.recordFailure("node-2", apiServerDown);

        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(1)).contains("does not work for node-2");
    }

    @Test
    void logsNothingWithoutFailure() {
        failureLog.recordSuccess();

        assertThat(warnings).isEmpty();
        assertThat(recoveries).isEmpty();
        assertThat(scheduledChecks).isEmpty();
    }
}
