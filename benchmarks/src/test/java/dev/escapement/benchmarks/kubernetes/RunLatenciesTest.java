package dev.escapement.benchmarks.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.benchmarks.kubernetes.LoadFeed.CreatedExecution;
import dev.escapement.governor.Target;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunLatenciesTest {

    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    private static AuditedRequest request(String verb, String name, int code, long millis) {
        return new AuditedRequest("one", verb, "pipelineruns", name, code, START.plusMillis(millis));
    }

    @Test
    void measuresLatencyToFirstSuccessfulResponse() {
        RunLatencies latencies = RunLatencies.calculate(
                List.of(new CreatedExecution("a", START), new CreatedExecution("b", START.plusMillis(100))),
                List.of(
                        request("create", "a", 409, 5),
                        request("create", "a", 201, 10),
                        request("create", "b", 201, 130),
                        request("patch", "a", 200, 20),
                        request("patch", "b", 200, 500)));
        assertThat(latencies.toRunCreated().at(50)).isEqualTo(10);
        assertThat(latencies.toRunCreated().at(100)).isEqualTo(30);
        assertThat(latencies.toRunStarted().at(100)).isEqualTo(400);
        assertThat(latencies.perSecond()).isEqualTo(4);
    }

    @Test
    void latencyIsInfiniteWhenRunNeverStarted() {
        RunLatencies latencies = RunLatencies.calculate(
                List.of(new CreatedExecution("a", START), new CreatedExecution("b", START)),
                List.of(request("patch", "a", 200, 20), request("create", "a", 201, 10)));
        assertThat(latencies.toRunStarted().at(100)).isInfinite();
    }

    @Test
    void sumsHeapOverGenerations() {
        assertThat(HeapInfo.parseUsedBytes("""
                        4711:
                         def new generation   total 9792K, used 2000K [0x1, 0x2, 0x3)
                          eden space 8704K,  99% used [0x1, 0x2, 0x3)
                         tenured generation   total 21888K, used 3000K [0x1, 0x2, 0x3)
                         Metaspace       used 500K, committed 512K, reserved 1024K
                        """)).isEqualTo(5000 * 1024);
        assertThatThrownBy(() -> HeapInfo.parseUsedBytes("no such process"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void namesRunsLikeOperator() {
        assertThat(ExpectedRunNames.of(Target.parse("payment/deployment/payment-api"), "uid"))
                .matches("wfe-cf0cc089293b1165-[0-9a-f]{10}");
    }
}
