package dev.escapement.server.http.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HealthChecksTest {

    private final AtomicLong ticks = new AtomicLong();
    private final AtomicInteger probes = new AtomicInteger();

    /** Otherwise callers that waited for the report would each request and wait for another one. */
    @Test
    void cachesSlowReportFromItsCompletion() {
        HealthChecks health =
                new HealthChecks(List.of(), List.of(new HealthChecks.Check("slow", this::slowProbe)), ticks::get);
        assertThat(health.checkReadiness().healthy()).isTrue();
        assertThat(health.checkReadiness().healthy()).isTrue();
        assertThat(probes).hasValue(1);
        ticks.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(health.checkReadiness().healthy()).isTrue();
        assertThat(probes).hasValue(2);
    }

    @Test
    void staysInServiceWithProblemThatIsNotVital() {
        HealthChecks.Check degraded = new HealthChecks.Check("one", false, () -> Optional.of("a problem"));
        HealthChecks.Report report = HealthChecks.Report.run(List.of(degraded));
        assertThat(report.status()).isEqualTo("degraded");
        assertThat(report.healthy()).isTrue();
        HealthChecks.Check failing = new HealthChecks.Check("two", () -> Optional.of("a problem"));
        for (List<HealthChecks.Check> checks : List.of(List.of(degraded, failing), List.of(failing, degraded))) {
            assertThat(HealthChecks.Report.run(checks).status()).isEqualTo("failing");
            assertThat(HealthChecks.Report.run(checks).healthy()).isFalse();
        }
    }

    private Optional<String> slowProbe() {
        probes.incrementAndGet();
        ticks.addAndGet(Duration.ofSeconds(2).toNanos());
        return Optional.empty();
    }
}
