package dev.escapement.notifications.audit;

import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.notifications.audit.ChainProblem.Kind;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a verification of the trail names, on real databases. */
@ParameterizedClass
@EnumSource(DatabaseKind.class)
class TrailVerifierTest {

    private static final Map<DatabaseKind, AuditDatabase> DATABASES = new EnumMap<>(DatabaseKind.class);

    private final AuditDatabase fixture;
    private final TestDatabase testDatabase;
    private final AuditAppender appender;
    private final AuditTrail trail;
    private final CheckpointStore checkpoints;
    private final TrailVerifier verifier;

    TrailVerifierTest(DatabaseKind kind) {
        fixture = DATABASES.computeIfAbsent(kind, AuditDatabase::new);
        testDatabase = fixture.raw;
        appender = fixture.appender;
        trail = fixture.trail;
        checkpoints = fixture.checkpoints;
        verifier = fixture.verifier;
        fixture.clear();
    }

    @AfterAll
    static void close() {
        DATABASES.values().forEach(AuditDatabase::close);
        DATABASES.clear();
    }

    private List<Kind> problems() {
        return verifier.verifyAll().problems().stream().map(ChainProblem::kind).toList();
    }

    private Optional<ChainProblem> compare(String... keptLines) {
        KeptCheckpoints kept = new KeptCheckpoints();
        List.of(keptLines).forEach(kept::addLine);
        return kept.findProblem(sequence -> trail.read(sequence - 1, 1).stream()
                .map(entry -> new KeptCheckpoints.ChainLink(entry.sequence(), entry.hash()))
                .findFirst());
    }

    @Test
    void verifiesInParts() {
        fixture.createAndCopy(7);
        ChainEntry third = trail.read(2, 1).get(0);
        TrailVerifier.Part rest = verifier.verify(3, Optional.of(third.hash()), 100);
        assertThat(rest.verified()).isEqualTo(4);
        assertThat(rest.sequence()).isEqualTo(7);
        assertThat(rest.problems()).isEmpty();
        assertThat(verifier.verify(3, Optional.of("f".repeat(64)), 100).problems())
                .isNotEmpty();
    }

    @Test
    void namesTamperedRows() throws SQLException {
        fixture.createAndCopy(9);
        testDatabase.execute("UPDATE audit SET document = replace(document, 'anna', 'otto') WHERE sequence = 4");
        assertThat(verifier.verifyAll().problems())
                .extracting(ChainProblem::message)
                .containsExactly("entry 4 was changed: its content does not have its hash");
        testDatabase.execute("UPDATE audit SET document = replace(document, 'otto', 'anna') WHERE sequence = 4");
        testDatabase.execute("DELETE FROM audit WHERE sequence = 6");
        assertThat(problems()).containsExactly(Kind.REMOVED);
        testDatabase.execute("DELETE FROM audit WHERE sequence > 5");
        assertThat(problems()).containsExactly(Kind.TRUNCATED);
    }

    @Test
    void namesSwappedRows() throws SQLException {
        fixture.createAndCopy(9);
        testDatabase.execute("UPDATE audit SET sequence = -5 WHERE sequence = 5");
        testDatabase.execute("UPDATE audit SET sequence = 5 WHERE sequence = 6");
        testDatabase.execute("UPDATE audit SET sequence = 6 WHERE sequence = -5");
        assertThat(problems()).isNotEmpty().containsOnly(Kind.REORDERED);
    }

    @Test
    void namesChangedHead() throws SQLException {
        fixture.createAndCopy(3);
        testDatabase.execute("UPDATE audit_head SET hash = '" + "f".repeat(64) + "'");
        assertThat(problems()).containsExactly(Kind.CHANGED);
        testDatabase.execute("UPDATE audit_head SET sequence = 2");
        assertThat(problems()).contains(Kind.INSERTED);
    }

    @Test
    void namesTruncationByACheckpointIfTheHeadWasSetBackToo() throws SQLException {
        fixture.createAndCopy(5);
        checkpoints.create(NOW);
        ChainEntry third = trail.read(2, 1).get(0);
        testDatabase.execute("DELETE FROM audit WHERE sequence > 3");
        testDatabase.execute("UPDATE audit_head SET sequence = 3, hash = '" + third.hash() + "'");
        assertThat(problems()).containsExactly(Kind.TRUNCATED);
    }

    @Test
    void checkpointIsCreatedOncePerHead() {
        checkpoints.create(NOW);
        assertThat(checkpoints.list()).isEmpty();
        fixture.createAndCopy(2);
        checkpoints.create(NOW);
        checkpoints.create(NOW.plusSeconds(1));
        assertThat(checkpoints.list())
                .containsExactly(new AuditCheckpoint(2, trail.head().hash(), NOW));
    }

    @Test
    void retentionRemovesUpToACheckpointAndTheRestIsVerifiable() throws SQLException {
        fixture.createAndCopy(4);
        checkpoints.create(NOW);
        fixture.create(5, 8);
        appender.appendNext();
        checkpoints.create(NOW.plus(Duration.ofDays(2)));
        assertThat(checkpoints.removeBefore(NOW, Long.MAX_VALUE)).isZero();
        assertThat(checkpoints.removeBefore(NOW.plus(Duration.ofDays(1)), 3)).isZero();
        assertThat(checkpoints.removeBefore(NOW.plus(Duration.ofDays(1)), Long.MAX_VALUE))
                .isEqualTo(4);
        assertThat(trail.head().anchorSequence()).isEqualTo(4);
        assertThat(trail.read(0, 100)).extracting(ChainEntry::sequence).containsExactly(5L, 6L, 7L, 8L);
        assertThat(problems()).isEmpty();
        fixture.create(9, 9);
        appender.appendNext();
        assertThat(problems()).isEmpty();
        testDatabase.execute("DELETE FROM audit WHERE sequence = 5");
        assertThat(problems()).containsExactly(Kind.REMOVED);
    }

    @Test
    void entriesThatRetentionRemovesDuringAVerificationAreNotMissing() {
        fixture.createAndCopy(4);
        checkpoints.create(NOW);
        fixture.create(5, 8);
        appender.appendNext();
        Iterator<Runnable> duringReads = List.<Runnable>of(
                        () -> assertThat(checkpoints.removeBefore(NOW.plusSeconds(1), Long.MAX_VALUE))
                                .isEqualTo(4))
                .iterator();
        TrailVerifier.Part part = new TrailVerifier(trail, checkpoints, (after, limit) -> {
                    if (duringReads.hasNext()) {
                        duringReads.next().run();
                    }
                    return trail.readIndexed(after, limit);
                })
                .verifyAll();
        assertThat(part.problems()).isEmpty();
        assertThat(part.verified()).isEqualTo(4);
        assertThat(part.finished()).isTrue();
    }

    @Test
    void namesColumnsThatWouldHideAnEntryFromSearches() throws SQLException {
        fixture.createAndCopy(3);
        for (String column : List.of("id", "type", "actor", "execution", "target")) {
            String before = testDatabase
                    .queryColumn("SELECT " + column + " FROM audit WHERE sequence = 2")
                    .get(0);
            testDatabase.execute("UPDATE audit SET " + column + " = 'x' WHERE sequence = 2");
            assertThat(verifier.verifyAll().problems())
                    .extracting(ChainProblem::message)
                    .containsExactly(
                            "entry 2 was changed: its column " + column + " does not have the value of its record");
            testDatabase.execute("UPDATE audit SET " + column + " = '" + before + "' WHERE sequence = 2");
        }
        testDatabase.execute("UPDATE audit SET occurred_at = occurred_at + 1 WHERE sequence = 2");
        assertThat(problems()).containsExactly(Kind.CHANGED);
    }

    @Test
    void keptCheckpointsNameATrailThatWasComputedAgainAsAWhole() throws SQLException {
        fixture.createAndCopy(6);
        List<ChainEntry> before = trail.read(0, 100);
        String[] export = before.stream().map(ChainEntry::toLine).toArray(String[]::new);
        assertThat(compare(export)).isEmpty();
        String previous = before.get(2).hash();
        for (ChainEntry entry : before.subList(3, 6)) {
            String forged = entry.document().replace("anna", "otto");
            String hash = ChainEntry.hash(previous, forged);
            testDatabase.execute(
                    "UPDATE audit SET document = '%s', previous_hash = '%s', hash = '%s', actor = '%s' WHERE sequence = %d"
                            .formatted(
                                    forged,
                                    previous,
                                    hash,
                                    SearchColumns.of(forged).actor(),
                                    entry.sequence()));
            previous = hash;
        }
        testDatabase.execute("UPDATE audit_head SET hash = '" + previous + "'");
        assertThat(problems()).isEmpty();
        assertThat(compare(export).orElseThrow().message())
                .isEqualTo(
                        "entry 4 was changed: a kept checkpoint has another hash, so that it or an entry after 3 differs");
        String logged =
                "12:00 INFO Audit checkpoint: sequence=5 hash=" + before.get(4).hash();
        assertThat(compare("another line", logged).orElseThrow().sequence()).isEqualTo(5);
    }

    @Test
    void keptCheckpointsNameATruncationAndWhatCannotBeCompared() throws SQLException {
        fixture.createAndCopy(4);
        checkpoints.create(NOW);
        fixture.create(5, 8);
        appender.appendNext();
        String[] export = trail.read(0, 100).stream().map(ChainEntry::toLine).toArray(String[]::new);
        String listed = "{\"items\": [{\"sequence\": 4, \"hash\": \"%s\"}]}"
                .formatted(trail.read(3, 1).get(0).hash());
        checkpoints.removeBefore(NOW.plusSeconds(1), Long.MAX_VALUE);
        assertThat(compare(export)).isEmpty();
        assertThat(compare(listed).orElseThrow().message()).isEqualTo("entry 4 was removed");
        testDatabase.execute("DELETE FROM audit WHERE sequence > 6");
        assertThat(compare(export).orElseThrow().message()).startsWith("entry 7 was removed from the end");
    }
}
