package dev.escapement.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class TroublesTest {

    private final Exception away = new IllegalStateException("the API server is away");

    private final List<String> warnings = new ArrayList<>();
    private final List<String> reliefs = new ArrayList<>();
    private final Deque<Runnable> afterQuiet = new ArrayDeque<>();
    private long now = Duration.ofDays(-1).toNanos();
    private final Troubles troubles = new Troubles("tidying", () -> now, afterQuiet::add, warnings::add, reliefs::add);

    private void pass(Duration time) {
        now += time.toNanos();
    }

    private void quietIsOver() {
        afterQuiet.remove().run();
    }

    @Test
    void theBeginningIsToldWithItsCause() {
        troubles.failed("node-1", away);

        assertThat(warnings).singleElement().asString().contains("tidying", "node-1", "the API server is away");
    }

    @Test
    void whatFailsAgainAndAgainIsOneLineAMinuteWithACount() {
        for (int second = 0; second < 150; second++) {
            troubles.failed("node-" + second, away);
            pass(Duration.ofSeconds(1));
        }

        assertThat(warnings).hasSize(3);
        assertThat(warnings.get(1)).contains("61 attempts", "node-60");
        assertThat(warnings.get(2)).contains("121 attempts", "node-120");
        assertThat(reliefs).isEmpty();
    }

    @Test
    void everyTenthCallThatFailsIsOneTrouble() {
        for (int call = 0; call < 50; call++) {
            if (call % 10 == 0) {
                troubles.failed("node-" + call, away);
            } else {
                troubles.worked();
            }
        }
        quietIsOver();

        assertThat(warnings).hasSize(1);
        assertThat(reliefs).isEmpty();
        assertThat(afterQuiet).as("what was planned meanwhile").hasSize(1);
    }

    @Test
    void theEndIsToldOnceWhenNothingHasFailedForAWhile() {
        troubles.failed("node-1", away);
        troubles.failed("node-2", away);
        troubles.worked();
        troubles.worked();
        assertThat(reliefs).isEmpty();

        quietIsOver();

        assertThat(reliefs).singleElement().asString().contains("tidying works again", "2 attempts");
        assertThat(afterQuiet).isEmpty();
    }

    @Test
    void theEndIsToldEvenIfNobodyHasAnythingToDoAnyMore() {
        troubles.failed("node-1", away);
        troubles.worked();
        troubles.failed("node-1", away);
        troubles.worked();

        quietIsOver();
        assertThat(reliefs).isEmpty();
        quietIsOver();

        assertThat(reliefs).hasSize(1);
    }

    @Test
    void whatHasNotWorkedSinceIsNotOver() {
        troubles.failed("node-1", away);
        troubles.worked();
        troubles.failed("node-1", away);

        quietIsOver();

        assertThat(reliefs).isEmpty();
        assertThat(afterQuiet).isEmpty();
    }

    @Test
    void theNextTroubleBeginsAnew() {
        troubles.failed("node-1", away);
        troubles.worked();
        quietIsOver();

        troubles.failed("node-2", away);

        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(1)).contains("does not work for node-2");
    }

    @Test
    void nothingIsToldWhileAllIsWell() {
        troubles.worked();

        assertThat(warnings).isEmpty();
        assertThat(reliefs).isEmpty();
        assertThat(afterQuiet).isEmpty();
    }
}
