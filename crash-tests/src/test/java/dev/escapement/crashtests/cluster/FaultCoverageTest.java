package dev.escapement.crashtests.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.crashtests.cluster.proxy.ExecutionStep;
import dev.escapement.crashtests.cluster.proxy.FaultMoment;
import dev.escapement.crashtests.cluster.proxy.RunEngine;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FaultCoverageTest {

    private final FaultCoverage coverage = new FaultCoverage();

    private void tryFault(Boolean... hits) throws InterruptedException {
        Iterator<Boolean> next = List.of(hits).iterator();
        coverage.tryFault("killed after end", next::next);
    }

    @Test
    void retriesMissedFault() throws InterruptedException {
        tryFault(false, false, true);
        assertThat(coverage.injected()).containsEntry("killed after end", 1);
        assertThat(ClusterCrashTestMain.exitCode(true, coverage)).isZero();
    }

    @Test
    void reportsFaultThatWasNeverInjected() throws InterruptedException {
        tryFault(false, false, false);
        assertThat(coverage.injected()).isEmpty();
        assertThat(coverage.missed()).containsExactly("killed after end");
        assertThat(ClusterCrashTestMain.exitCode(true, coverage)).isEqualTo(3);
    }

    @Test
    void brokenPromiseOutranksMissedFault() throws InterruptedException {
        tryFault(false, false, false);
        assertThat(ClusterCrashTestMain.exitCode(false, coverage)).isEqualTo(1);
    }

    @Test
    void twoRoundsCoverEveryPointWithEveryEngine() {
        for (long seed = 0; seed < 4; seed++) {
            List<FaultPoint> faults = FaultPoint.enumerate(ExecutionStep.WRITES, seed);
            int round = ExecutionStep.WRITES.size() * FaultMoment.values().length;
            Set<String> places = new HashSet<>();
            faults.subList(0, round).forEach(fault -> places.add(fault.step() + " " + fault.moment()));
            assertThat(places).hasSize(round);
            assertThat(faults.subList(0, round)).extracting(FaultPoint::engine).contains(RunEngine.values());
            assertThat(new HashSet<>(faults)).hasSize(2 * round);
        }
    }
}
