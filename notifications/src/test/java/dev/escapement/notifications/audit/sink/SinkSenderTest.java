package dev.escapement.notifications.audit.sink;

import static dev.escapement.engine.contract.ExecutionSamples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.api.audit.AuditRecord;
import dev.escapement.common.Json;
import dev.escapement.engine.contract.ExecutionSamples;
import dev.escapement.engine.port.Journal;
import dev.escapement.engine.port.StoreWrite;
import dev.escapement.notifications.audit.AuditAppender;
import dev.escapement.notifications.audit.AuditTrail;
import dev.escapement.notifications.audit.sink.SinkResponse.Accepted;
import dev.escapement.notifications.audit.sink.SinkResponse.Refused;
import dev.escapement.notifications.audit.sink.SinkResponse.Unavailable;
import dev.escapement.storage.Database;
import dev.escapement.storage.DatabaseKind;
import dev.escapement.storage.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What is sent when, on real databases and under a virtual clock. */
@ParameterizedClass
@EnumSource(DatabaseKind.class)
class SinkSenderTest {

    private static final Unavailable DOWN = new Unavailable("connection refused", Optional.empty());

    /** One for all tests of a kind: to create one takes longer than a test. */
    private static Optional<SharedDatabase> shared = Optional.empty();

    private final TestDatabase testDatabase = shared.orElseThrow().raw();
    private final Database database = shared.orElseThrow().opened();
    private final SinkStore store = new SinkStore(database.backend());
    /** The executions of each batch that was sent. */
    private final List<List<String>> sent = new ArrayList<>();

    private Function<List<String>, SinkResponse> sink = batch -> new Accepted();
    private SinkSender sender;

    private record SharedDatabase(TestDatabase raw, Database opened) {}

    SinkSenderTest(DatabaseKind kind) {
        sender = sender("server-1");
    }

    @BeforeParameterizedClassInvocation
    static void open(DatabaseKind kind) {
        TestDatabase created = kind.create();
        shared = Optional.of(new SharedDatabase(created, created.open()));
    }

    @AfterParameterizedClassInvocation
    static void close() {
        shared.orElseThrow().raw().close();
    }

    @BeforeEach
    void clear() {
        database.backend().write(() -> "remove the rows of the test before", session -> {
            for (String table : List.of("audit", "audit_dead_letters", "journal", "executions")) {
                session.update("DELETE FROM " + table);
            }
            session.update("UPDATE audit_sink SET sequence = 0, server = '', lease_until = 0");
            session.update(
                    "UPDATE audit_head SET sequence = 0, hash = anchor_hash, journal_position = ?", Journal.START);
            return Optional.of(true);
        });
    }

    private SinkSender sender(String server) {
        SinkClient client = documents -> {
            List<String> executions = documents.stream()
                    .map(document -> Json.read(document, AuditRecord.class))
                    .map(record -> String.valueOf(record.execution()))
                    .toList();
            sent.add(executions);
            return sink.apply(executions);
        };
        return new SinkSender(new AuditTrail(database.backend()), store, client, server, 3, () -> NOW, response -> {});
    }

    private void append(int first, int last) {
        for (int number = first; number <= last; number++) {
            database.store().apply(List.of(new StoreWrite.Creation(ExecutionSamples.execution(number))));
        }
        new AuditAppender(database).appendNext();
    }

    /** Sends until the sender has nothing to do; returns the delays that it asked for. */
    private List<Duration> sendAll(int maxCalls) throws InterruptedException {
        List<Duration> delays = new ArrayList<>();
        for (int call = 0; call < maxCalls; call++) {
            Optional<Duration> delay = sender.sendNext();
            if (delay.isEmpty()) {
                return delays;
            }
            delays.add(delay.get());
        }
        return delays;
    }

    @Test
    void sendsEveryRecordOnceInOrder() throws InterruptedException {
        append(1, 5);
        sendAll(100);
        append(6, 6);
        sendAll(100);
        assertThat(sent)
                .containsExactly(List.of("ops/e1", "ops/e2", "ops/e3"), List.of("ops/e4", "ops/e5"), List.of("ops/e6"));
        assertThat(store.position()).isEqualTo(6);
        assertThat(store.backlog()).isEqualTo(SinkStore.Backlog.NONE);
    }

    @Test
    void unreachableSinkDelaysByTheBackoffPolicyAndLosesNothing() throws InterruptedException {
        append(1, 2);
        sink = batch -> DOWN;
        List<Duration> delays = sendAll(12);
        for (int failure = 1; failure <= delays.size(); failure++) {
            assertThat(delays.get(failure - 1))
                    .isEqualTo(SinkSender.BACKOFF.delay(failure, "server-1#" + failure))
                    .isBetween(
                            Duration.ofMillis(900L << Math.min(failure - 1, 8)).compareTo(Duration.ofMinutes(4)) > 0
                                    ? Duration.ofMinutes(4)
                                    : Duration.ofMillis(900L << Math.min(failure - 1, 8)),
                            Duration.ofMinutes(5));
        }
        assertThat(store.position()).isZero();
        assertThat(store.backlog().records()).isEqualTo(2);
        assertThat(store.backlog().oldest()).hasValue(NOW.plusSeconds(1));
        sink = batch -> new Accepted();
        sendAll(10);
        assertThat(sent.get(sent.size() - 1)).containsExactly("ops/e1", "ops/e2");
        assertThat(store.backlog().records()).isZero();
    }

    @Test
    void backoffStartsAgainAfterASuccess() throws InterruptedException {
        append(1, 4);
        sink = batch -> sent.size() < 4 ? DOWN : new Accepted();
        sendAll(100);
        append(5, 5);
        sink = batch -> DOWN;
        assertThat(sender.sendNext().orElseThrow()).isLessThan(Duration.ofMillis(1_200));
    }

    @Test
    void honoursRetryAfterWithinABound() throws InterruptedException {
        append(1, 1);
        sink = batch -> new Unavailable("status 429", Optional.of(Duration.ofSeconds(90)));
        assertThat(sender.sendNext()).hasValue(Duration.ofSeconds(90));
        sink = batch -> new Unavailable("status 503", Optional.of(Duration.ofDays(3)));
        assertThat(sender.sendNext()).hasValue(SinkSender.MAX_RETRY_AFTER);
        sink = batch -> new Unavailable("status 503", Optional.of(Duration.ZERO));
        assertThat(sender.sendNext().orElseThrow()).isGreaterThan(Duration.ofSeconds(3));
    }

    @Test
    void continuesAfterARestartAndRepeatsOnlyWhatWasNotConfirmed() throws InterruptedException {
        append(1, 6);
        sink = batch -> batch.contains("ops/e4") ? DOWN : new Accepted();
        sendAll(3);
        sender = sender("server-1");
        sink = batch -> new Accepted();
        sendAll(10);
        assertThat(sent)
                .contains(List.of("ops/e1", "ops/e2", "ops/e3"))
                .endsWith(List.of("ops/e4", "ops/e5", "ops/e6"));
        assertThat(sent.stream().filter(batch -> batch.contains("ops/e1"))).hasSize(1);
    }

    @Test
    void refusedRecordBecomesADeadLetterAndTheOthersAreDelivered() throws InterruptedException {
        append(1, 5);
        sink = batch -> batch.contains("ops/e2") ? new Refused(422, "no e2 here") : new Accepted();
        sendAll(100);
        assertThat(store.position()).isEqualTo(5);
        assertThat(store.listDeadLetters(0, 10)).singleElement().satisfies(letter -> {
            assertThat(letter.sequence()).isEqualTo(2);
            assertThat(letter.status()).isEqualTo(422);
            assertThat(letter.error()).isEqualTo("no e2 here");
            assertThat(letter.document()).contains("ops/e2");
        });
        assertThat(sent).contains(List.of("ops/e1"), List.of("ops/e3"), List.of("ops/e4", "ops/e5"));
    }

    @Test
    void deadLettersAreSentAgainOnRequest() throws InterruptedException {
        append(1, 2);
        sink = batch -> new Refused(400, "not yet");
        sendAll(100);
        assertThat(store.backlog().deadLetters()).isEqualTo(2);
        assertThat(sender.sendNext()).isEmpty();
        assertThat(store.requestReplay()).isEqualTo(2);
        sink = batch -> batch.contains("ops/e1") ? new Accepted() : new Refused(400, "still not");
        sendAll(100);
        assertThat(store.listDeadLetters(0, 10)).singleElement().satisfies(letter -> {
            assertThat(letter.error()).isEqualTo("still not");
            assertThat(letter.replayRequested()).isFalse();
        });
    }

    @Test
    void onlyOneServerSends() throws InterruptedException, SQLException {
        append(1, 1);
        assertThat(store.claim("server-2", SinkSender.LEASE)).isTrue();
        assertThat(sender.sendNext()).hasValue(SinkSender.OTHER_SERVER_DELAY);
        assertThat(sent).isEmpty();
        testDatabase.execute("UPDATE audit_sink SET lease_until = 1");
        sendAll(10);
        assertThat(sent).hasSize(1);
        assertThat(store.advance("server-2", 1, 2)).isFalse();
        sender.release();
        assertThat(store.claim("server-2", SinkSender.LEASE)).isTrue();
    }
}
