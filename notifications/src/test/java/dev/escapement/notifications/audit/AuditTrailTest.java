package dev.escapement.notifications.audit;

import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.api.audit.AuditRecord;
import dev.escapement.engine.port.ExecutionQueries.Page;
import dev.escapement.engine.port.Journal;
import dev.escapement.notifications.audit.AuditAppender.Result;
import dev.escapement.notifications.audit.AuditTrail.AuditFilter;
import dev.escapement.notifications.audit.ChainProblem.Kind;
import dev.escapement.storage.Database;
import dev.escapement.storage.DatabaseKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The trail on real databases: what is copied, listed and removed. */
@ParameterizedClass
@EnumSource(DatabaseKind.class)
class AuditTrailTest {

    private static final Map<DatabaseKind, AuditDatabase> DATABASES = new EnumMap<>(DatabaseKind.class);

    private final AuditDatabase fixture;
    private final Database database;
    private final AuditAppender appender;
    private final AuditTrail trail;
    private final TrailVerifier verifier;

    AuditTrailTest(DatabaseKind kind) {
        fixture = DATABASES.computeIfAbsent(kind, AuditDatabase::new);
        database = fixture.database;
        appender = fixture.appender;
        trail = fixture.trail;
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

    private List<String> executions(AuditFilter filter) {
        return trail.list(filter, "", 100).items().stream()
                .map(ChainEntry::record)
                .map(AuditRecord::execution)
                .toList();
    }

    private static AuditFilter filter(String target, String execution, String type, String actor) {
        return new AuditFilter(
                Optional.of(target).filter(text -> !text.isEmpty()),
                Optional.of(execution).filter(text -> !text.isEmpty()),
                Optional.of(type).filter(text -> !text.isEmpty()),
                Optional.of(actor).filter(text -> !text.isEmpty()),
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void copiesEveryJournalRecordOnceInOrder() {
        fixture.create(1, 3);
        assertThat(appender.appendNext()).isEqualTo(Result.COMPLETE);
        assertThat(appender.appendNext()).isEqualTo(Result.COMPLETE);
        fixture.create(4, 5);
        appender.appendNext();
        assertThat(trail.read(0, 100))
                .extracting(entry -> entry.record().execution())
                .containsExactly("ops/e1", "ops/e2", "ops/e3", "ops/e4", "ops/e5");
        assertThat(trail.read(0, 100)).extracting(ChainEntry::sequence).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(trail.head().sequence()).isEqualTo(5);
        assertThat(trail.head().journalPosition()).isEqualTo(database.journal().endPosition());
        assertThat(verifier.verifyAll().finished()).isTrue();
        assertThat(problems()).isEmpty();
    }

    @Test
    void copiesInBatches() {
        fixture.create(1, AuditAppender.BATCH_SIZE + 1);
        assertThat(appender.appendNext()).isEqualTo(Result.MORE);
        assertThat(appender.appendNext()).isEqualTo(Result.COMPLETE);
        assertThat(trail.head().sequence()).isEqualTo(AuditAppender.BATCH_SIZE + 1);
        assertThat(problems()).isEmpty();
    }

    @Test
    void listsNewestFirstInPages() {
        fixture.createAndCopy(5);
        Page<ChainEntry> first = trail.list(AuditFilter.ALL, "", 2);
        assertThat(first.items()).extracting(ChainEntry::sequence).containsExactly(5L, 4L);
        Page<ChainEntry> second = trail.list(AuditFilter.ALL, first.nextToken().orElseThrow(), 3);
        assertThat(second.items()).extracting(ChainEntry::sequence).containsExactly(3L, 2L, 1L);
        assertThat(second.nextToken()).isEmpty();
        assertThatThrownBy(() -> trail.list(AuditFilter.ALL, "?", 2)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void listsByTargetExecutionTypeActorAndTime() {
        fixture.createAndCopy(6);
        assertThat(executions(filter("node/n-0", "", "", ""))).containsExactly("ops/e6", "ops/e3");
        assertThat(executions(filter("", "ops/e4", "", ""))).containsExactly("ops/e4");
        assertThat(executions(filter("", "", "WorkflowAccepted", "anna")))
                .containsExactly("ops/e6", "ops/e4", "ops/e2");
        assertThat(executions(filter("", "", "WorkflowFailed", ""))).isEmpty();
        Instant third = NOW.plusSeconds(3);
        AuditFilter times = new AuditFilter(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(third),
                Optional.of(third.plusSeconds(2)));
        assertThat(executions(times)).containsExactly("ops/e4", "ops/e3");
    }

    @Test
    void findsRecordById() {
        fixture.createAndCopy(3);
        ChainEntry second = trail.read(1, 1).get(0);
        assertThat(trail.find(String.valueOf(second.record().id()))).hasValue(second);
        assertThat(trail.find("unknown")).isEmpty();
    }

    @Test
    void journalRetentionKeepsWhatIsNotCopied() {
        fixture.createAndCopy(3);
        fixture.create(4, 5);
        Instant later = NOW.plus(Duration.ofDays(100));
        assertThat(database.removeOldestRecords(later, List.of(trail.head().journalPosition()), 100))
                .isEqualTo(3);
        appender.appendNext();
        assertThat(executions(AuditFilter.ALL)).containsExactly("ops/e5", "ops/e4", "ops/e3", "ops/e2", "ops/e1");
        assertThat(database.removeOldestRecords(later, List.of(trail.head().journalPosition()), 100))
                .isEqualTo(2);
    }

    @Test
    void journalRetentionRemovesNothingBeforeTheFirstCopy() {
        fixture.create(1, 3);
        assertThat(database.removeOldestRecords(
                        NOW.plus(Duration.ofDays(100)), List.of(trail.head().journalPosition()), 100))
                .isZero();
    }

    @Test
    void journalRetentionKeepsWhatOneReaderHasNotRead() {
        fixture.createAndCopy(3);
        String copied = trail.head().journalPosition();
        Instant later = NOW.plus(Duration.ofDays(100));
        assertThat(database.removeOldestRecords(later, List.of(copied, Journal.START), 100))
                .isZero();
        assertThat(database.removeOldestRecords(later, List.of(copied, copied), 100))
                .isEqualTo(3);
    }

    @Test
    void emptyTrailIsValid() {
        assertThat(problems()).isEmpty();
        assertThat(new ArrayList<>(executions(AuditFilter.ALL))).isEmpty();
    }
}
