package dev.escapement.benchmarks.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.benchmarks.kubernetes.LoadFeed.Asked;
import dev.escapement.governor.Target;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimingTest {

    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    private static Call call(String verb, String name, int code, long millis) {
        return new Call("one", verb, "pipelineruns", name, code, START.plusMillis(millis));
    }

    @Test
    void latenciesRunFromTheRequestToTheFirstAnswerThatWasNoRefusal() {
        Timing timing = Timing.of(
                List.of(new Asked("a", START), new Asked("b", START.plusMillis(100))),
                List.of(
                        call("create", "a", 409, 5),
                        call("create", "a", 201, 10),
                        call("create", "b", 201, 130),
                        call("patch", "a", 200, 20),
                        call("patch", "b", 200, 500)));
        assertThat(timing.toRun().at(50)).isEqualTo(10);
        assertThat(timing.toRun().at(100)).isEqualTo(30);
        assertThat(timing.toStart().at(100)).isEqualTo(400);
        assertThat(timing.perSecond()).isEqualTo(4);
    }

    @Test
    void aRunThatWasNeverStartedIsInfinitelyLate() {
        Timing timing = Timing.of(
                List.of(new Asked("a", START), new Asked("b", START)),
                List.of(call("patch", "a", 200, 20), call("create", "a", 201, 10)));
        assertThat(timing.toStart().at(100)).isInfinite();
    }

    @Test
    void heapsAreSummedOverTheirGenerations() {
        assertThat(HeapInfo.used("""
                        4711:
                         def new generation   total 9792K, used 2000K [0x1, 0x2, 0x3)
                          eden space 8704K,  99% used [0x1, 0x2, 0x3)
                         tenured generation   total 21888K, used 3000K [0x1, 0x2, 0x3)
                         Metaspace       used 500K, committed 512K, reserved 1024K
                        """)).isEqualTo(5000 * 1024);
        assertThatThrownBy(() -> HeapInfo.used("no such process")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void runsAreNamedAsTheOperatorNamesThem() {
        assertThat(RunNames.of(Target.parse("payment/deployment/payment-api"), "uid"))
                .matches("wfe-cf0cc089293b1165-[0-9a-f]{10}");
    }
}
