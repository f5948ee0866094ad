package dev.escapement.kubernetes.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.StoreWrite;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventLogTest {

    /** When all Events have expired. */
    private static final Instant LATER = ExecutionSamples.NOW.plus(EventMapper.EVENT_LIFETIME.multipliedBy(2));

    private final EventLog log = new EventLog();

    private void receive(int number, long version) {
        log.receive(version, transition(number));
    }

    private static Transition transition(int number) {
        return Transition.of(new StoreWrite.Creation(ExecutionSamples.execution(number)))
                .orElseThrow();
    }

    private List<String> readAfter(long version) {
        return log.read(version, 100).stream().map(Journal.Entry::position).toList();
    }

    /** A list delivers the Events by name, in pages. */
    @Test
    void showsEventsOfListInOrderOnceListIsComplete() {
        receive(1, 9);
        log.appendUpTo(4);
        assertThat(readAfter(-1)).isEmpty();
        assertThat(log.hasUnordered()).isTrue();
        receive(2, 7);
        receive(3, 8);
        assertThat(log.appendUpTo(10)).isTrue();
        assertThat(readAfter(-1)).containsExactly("7", "8", "9");
        assertThat(log.hasUnordered()).isFalse();
        assertThat(log.appendUpTo(11)).as("nothing new").isFalse();
    }

    @Test
    void knowsEventThatIsNotShownYet() {
        receive(1, 9);
        assertThat(log.contains(transition(1))).isTrue();
        assertThat(log.newestVersion()).isZero();
    }

    @Test
    void forgetsEventsBeforeAndAfterTheyAreShown() {
        receive(1, 1);
        receive(2, 2);
        log.appendUpTo(1);
        log.remove(1, LATER);
        log.remove(2, LATER);
        log.remove(3, LATER);
        log.appendUpTo(2);
        assertThat(readAfter(-1)).isEmpty();
        assertThat(log.contains(transition(1))).isFalse();
    }

    /** The deletion of a namespace removes its Events. */
    @Test
    void keepsEventThatWasRemovedBeforeItExpired() {
        receive(1, 1);
        receive(2, 2);
        log.appendUpTo(2);
        log.remove(2, ExecutionSamples.NOW);
        assertThat(readAfter(-1)).containsExactly("1", "2");
        assertThat(log.hasRemovedAfter(1)).isTrue();
        assertThat(log.hasRemovedAfter(2)).as("it was read").isFalse();
        assertThat(log.contains(transition(2))).isFalse();
        log.remove(1, LATER);
        assertThat(readAfter(-1)).as("both have expired").isEmpty();
        assertThat(log.hasRemovedAfter(-1)).isFalse();
    }

    /** Versions begin again at a smaller number; what was removed then is still kept. */
    @Test
    void keptEventDoesNotTakePlaceOfNewOneAfterRestore() {
        receive(1, 900);
        log.appendUpTo(900);
        log.remove(900, ExecutionSamples.NOW);
        receive(2, 900);
        log.appendUpTo(900);
        assertThat(log.read(-1, 100)).hasSize(2);
        log.remove(77, LATER);
        assertThat(log.read(-1, 100))
                .singleElement()
                .extracting(Journal.Entry::transition)
                .isEqualTo(transition(2));
        assertThat(log.contains(transition(2))).isTrue();
        assertThat(readAfter(900)).isEmpty();
    }

    /** Its Event was renamed by one replica, because the name was taken, and created under it by another. */
    @Test
    void showsTransitionOnce() {
        receive(1, 5);
        receive(1, 6);
        log.appendUpTo(6);
        assertThat(readAfter(-1)).containsExactly("5");
        log.remove(6, LATER);
        assertThat(log.contains(transition(1))).isTrue();
    }

    @Test
    void continuesAfterVersionThatHasExpired() {
        receive(1, 5);
        receive(2, 9);
        log.appendUpTo(9);
        assertThat(readAfter(4)).containsExactly("5", "9");
        assertThat(readAfter(5)).containsExactly("9");
        assertThat(readAfter(7)).containsExactly("9");
    }

    @Test
    void showsEventsAfterRestoreBehindThoseThatWereRead() {
        receive(1, 900);
        receive(2, 901);
        log.appendUpTo(901);
        receive(3, 300);
        log.appendUpTo(300);
        assertThat(readAfter(901)).containsExactly("300");
        assertThat(log.completeVersion(900)).isEqualTo(299);
        assertThat(log.completeVersion(901)).isEqualTo(299);
        assertThat(log.completeVersion(300)).isEqualTo(300);
        assertThat(log.completeVersion(77)).as("of an Event that has expired").isEqualTo(77);
    }
}
