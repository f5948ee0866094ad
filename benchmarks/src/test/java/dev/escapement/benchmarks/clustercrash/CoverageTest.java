package dev.escapement.benchmarks.clustercrash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.benchmarks.clustercrash.proxy.Engine;
import dev.escapement.benchmarks.clustercrash.proxy.Moment;
import dev.escapement.benchmarks.clustercrash.proxy.Step;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CoverageTest {

    private final Coverage coverage = new Coverage();

    private void make(Boolean... hits) throws InterruptedException {
        Iterator<Boolean> next = List.of(hits).iterator();
        coverage.make("killed after end", next::next);
    }

    @Test
    void aMomentThatIsMissedByChanceIsTriedAgain() throws InterruptedException {
        make(false, false, true);
        assertThat(coverage.made()).containsEntry("killed after end", 1);
        assertThat(ClusterCrashMain.code(true, coverage)).isZero();
    }

    @Test
    void oneThatNeverComesMakesTheCommandFail() throws InterruptedException {
        make(false, false, false);
        assertThat(coverage.made()).isEmpty();
        assertThat(coverage.missed()).containsExactly("killed after end");
        assertThat(ClusterCrashMain.code(true, coverage)).isEqualTo(3);
    }

    @Test
    void aBrokenPromiseCountsMore() throws InterruptedException {
        make(false, false, false);
        assertThat(ClusterCrashMain.code(false, coverage)).isEqualTo(1);
    }

    @Test
    void oneRoundHasEveryPlaceAndTwoHaveEveryPlaceWithEveryEngine() {
        for (long seed = 0; seed < 4; seed++) {
            List<Fault> faults = Fault.of(Step.WRITES, seed);
            int round = Step.WRITES.size() * Moment.values().length;
            Set<String> places = new HashSet<>();
            faults.subList(0, round).forEach(fault -> places.add(fault.step() + " " + fault.moment()));
            assertThat(places).hasSize(round);
            assertThat(faults.subList(0, round)).extracting(Fault::engine).contains(Engine.values());
            assertThat(new HashSet<>(faults)).hasSize(2 * round);
        }
    }
}
