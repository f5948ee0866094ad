package dev.escapement.notifications.audit;

import static dev.escapement.notifications.audit.ChainSamples.chain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.escapement.notifications.audit.ChainProblem.Kind;
import dev.escapement.testkit.Property;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChainVerifierTest {

    private final List<ChainEntry> entries = new ArrayList<>(chain(9));
    private final ChainEntry head = entries.get(8);

    private List<ChainProblem> verify() {
        ChainVerifier verifier = new ChainVerifier(0, Optional.of(ChainEntry.FIRST_PREVIOUS_HASH));
        entries.forEach(verifier::add);
        verifier.checkHead(head.sequence(), head.hash(), "the head of the trail");
        assertThat(verifier.problemCount() > 0).isEqualTo(!verifier.problems().isEmpty());
        return verifier.problems();
    }

    private void assertFound(long sequence, Kind kind) {
        assertThat(verify())
                .extracting(ChainProblem::sequence, ChainProblem::kind)
                .contains(tuple(sequence, kind));
    }

    private void assertFoundOnly(long sequence, Kind kind) {
        assertThat(verify())
                .extracting(ChainProblem::sequence, ChainProblem::kind)
                .containsExactly(tuple(sequence, kind));
    }

    private static ChainEntry withDocument(ChainEntry entry, String document) {
        return new ChainEntry(entry.sequence(), entry.previousHash(), entry.hash(), document);
    }

    private static ChainEntry at(long sequence, ChainEntry entry) {
        return new ChainEntry(sequence, entry.previousHash(), entry.hash(), entry.document());
    }

    @Test
    void acceptsChainThatNobodyChanged() {
        assertThat(verify()).isEmpty();
    }

    @Test
    void findsEveryChangedByte() {
        ChainEntry entry = entries.get(4);
        for (int i = 0; i < entry.document().length(); i++) {
            StringBuilder changed = new StringBuilder(entry.document());
            changed.setCharAt(i, changed.charAt(i) == 'x' ? 'y' : 'x');
            entries.set(4, withDocument(entry, changed.toString()));
            assertFoundOnly(5, Kind.CHANGED);
        }
    }

    @Test
    void findsChangedHash() {
        ChainEntry entry = entries.get(4);
        entries.set(4, new ChainEntry(5, entry.previousHash(), "f".repeat(64), entry.document()));
        assertFoundOnly(5, Kind.CHANGED);
    }

    @Test
    void findsChangedPreviousHash() {
        ChainEntry entry = entries.get(4);
        entries.set(4, new ChainEntry(5, "f".repeat(64), entry.hash(), entry.document()));
        assertFoundOnly(5, Kind.CHANGED);
    }

    @Test
    void findsEntryThatWasReplacedTogetherWithItsHash() {
        entries.set(4, ChainEntry.after(4, entries.get(3).hash(), ChainSamples.record(99)));
        assertFoundOnly(5, Kind.CHANGED);
    }

    @Test
    void findsRemovedEntries() {
        entries.subList(3, 6).clear();
        assertThat(verify()).extracting(ChainProblem::message).containsExactly("entries 4 to 6 were removed");
    }

    @Test
    void findsRemovedFirstEntry() {
        entries.remove(0);
        assertFoundOnly(1, Kind.REMOVED);
    }

    @Test
    void findsRemovedEntryIfTheOthersAreNumberedAgain() {
        entries.remove(4);
        for (int i = 4; i < entries.size(); i++) {
            entries.set(i, at(i + 1, entries.get(i)));
        }
        assertFound(4, Kind.CHANGED);
        assertFound(9, Kind.TRUNCATED);
    }

    @Test
    void findsInsertedEntry() {
        ChainEntry forged = ChainEntry.after(4, entries.get(3).hash(), ChainSamples.record(99));
        entries.add(4, forged);
        for (int i = 5; i < entries.size(); i++) {
            entries.set(i, at(i + 1, entries.get(i)));
        }
        assertFound(5, Kind.INSERTED);
        assertFound(10, Kind.INSERTED);
    }

    @Test
    void findsRepeatedEntry() {
        entries.add(5, entries.get(3));
        assertFoundOnly(4, Kind.INSERTED);
    }

    @Test
    void findsEntryAfterTheHead() {
        entries.add(ChainEntry.after(9, head.hash(), ChainSamples.record(99)));
        assertFoundOnly(10, Kind.INSERTED);
    }

    @Test
    void findsMovedLine() {
        entries.add(7, entries.remove(2));
        assertFoundOnly(3, Kind.REORDERED);
    }

    @Test
    void findsSwappedRows() {
        ChainEntry fifth = entries.get(4);
        entries.set(4, at(5, entries.get(5)));
        entries.set(5, at(6, fifth));
        assertThat(verify()).extracting(ChainProblem::kind).containsOnly(Kind.REORDERED);
    }

    @Test
    void findsTruncation() {
        entries.subList(7, 9).clear();
        assertThat(verify())
                .extracting(ChainProblem::message)
                .containsExactly("entries 8 to 9 were removed from the end: the head of the trail");
    }

    @Test
    void findsChainThatWasComputedAgainByACheckpoint() {
        ChainVerifier verifier = new ChainVerifier(
                0, Optional.of(ChainEntry.FIRST_PREVIOUS_HASH), Map.of(5L, "a".repeat(64), 12L, "b".repeat(64)));
        entries.forEach(verifier::add);
        verifier.checkRemainingCheckpoints();
        assertThat(verifier.problems())
                .extracting(ChainProblem::sequence, ChainProblem::kind)
                .containsExactly(tuple(5L, Kind.CHANGED), tuple(10L, Kind.TRUNCATED));
    }

    @Test
    void findsEveryRandomTampering() {
        Property.forAll(300, gen -> {
            List<ChainEntry> changed = new ArrayList<>(chain(12));
            ChainEntry last = changed.get(11);
            int i = gen.between(0, 11);
            int j = gen.between(0, 11);
            switch (gen.between(0, 4)) {
                case 0 -> changed.remove(i);
                case 1 -> changed.add(i, changed.get(j));
                case 2 ->
                    changed.set(i, withDocument(changed.get(i), changed.get(i).document() + " "));
                case 3 -> changed.set(i, ChainEntry.after(i, changed.get(i).previousHash(), ChainSamples.record(99)));
                default -> Collections.swap(changed, i, (i + 1) % 12);
            }
            ChainVerifier verifier = new ChainVerifier(0, Optional.of(ChainEntry.FIRST_PREVIOUS_HASH));
            changed.forEach(verifier::add);
            verifier.checkHead(last.sequence(), last.hash(), "the head");
            assertThat(verifier.problems()).isNotEmpty();
        });
    }

    @Test
    void exportedLineIsReadToTheLetter() {
        ChainEntry entry = entries.get(3);
        assertThat(ChainEntry.fromLine(entry.toLine())).isEqualTo(entry);
        String line = entry.toLine();
        assertThatThrownBy(() -> ChainEntry.fromLine(line.replace("\":", "\": ")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ChainEntry.fromLine("{}")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void unknownFieldsOfANewerVersionKeepTheirHash() {
        String text = "{\"aaa\":[1,{\"b\":2,\"z\":1}],\"x\":\"y\"}";
        ChainEntry entry = new ChainEntry(1, "p", ChainEntry.hash("p", text), text);
        ChainEntry read = ChainEntry.fromLine(entry.toLine());
        assertThat(read.hasValidHash()).isTrue();
    }
}
