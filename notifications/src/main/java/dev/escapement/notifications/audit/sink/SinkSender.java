package dev.escapement.notifications.audit.sink;

import dev.escapement.backoff.Backoff;
import dev.escapement.common.FailureLog;
import dev.escapement.notifications.audit.AuditTrail;
import dev.escapement.notifications.audit.sink.SinkResponse.Refused;
import dev.escapement.notifications.audit.sink.SinkResponse.Unavailable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the records after the stored position in the order of the queue, so that the order of each correlation id is
 * kept, and advances the position when the sink has confirmed them. After a crash, records may be sent again under the
 * same id. Not thread-safe.
 */
public final class SinkSender {

    /** Longer than a batch may take. */
    static final Duration LEASE = Duration.ofMinutes(2);

    /** How long this server waits while another one sends. */
    static final Duration OTHER_SERVER_DELAY = Duration.ofSeconds(30);

    /** A receiver cannot stop the sink for longer than this with one answer. */
    static final Duration MAX_RETRY_AFTER = Duration.ofHours(1);

    static final Backoff BACKOFF = Backoff.builder()
            .base(Duration.ofSeconds(1))
            .max(Duration.ofMinutes(5))
            .build();

    private static final Logger LOG = LoggerFactory.getLogger(SinkSender.class);

    private final SinkQueue queue;
    private final SinkClient client;
    private final String server;
    private final int batchSize;
    private final InstantSource clock;
    private final Consumer<SinkResponse> listener;
    private final FailureLog failureLog = new FailureLog(LOG, "Sending audit records to the sink");
    private int failures;

    /** Up to this entry records are sent one by one, because a batch with one of them was refused. */
    private long singleUntil;

    /**
     * @param server the id of this server
     * @param batchSize how many records are sent at once, from 1
     * @param listener receives every answer, for metrics
     */
    public SinkSender(
            AuditTrail trail,
            SinkStore store,
            SinkClient client,
            String server,
            int batchSize,
            InstantSource clock,
            Consumer<SinkResponse> listener) {
        this(new DatabaseSinkQueue(trail, store, server, LEASE), client, server, batchSize, clock, listener);
    }

    /** Sends what another queue than that of a database has. */
    public SinkSender(
            SinkQueue queue,
            SinkClient client,
            String server,
            int batchSize,
            InstantSource clock,
            Consumer<SinkResponse> listener) {
        this.queue = queue;
        this.client = client;
        this.server = server;
        this.batchSize = batchSize;
        this.clock = clock;
        this.listener = listener;
    }

    /**
     * Sends the next batch.
     *
     * @return how long to wait before the next call; empty to wait until there are new entries
     */
    public Optional<Duration> sendNext() throws InterruptedException {
        // Before the claim, which writes: a server without anything to send only reads.
        if (queue.nextReplay().isEmpty() && queue.read(queue.position(), 1).isEmpty()) {
            return Optional.empty();
        }
        if (!queue.claim()) {
            return Optional.of(OTHER_SERVER_DELAY);
        }
        Optional<DeadLetter> replay = queue.nextReplay();
        if (replay.isPresent()) {
            return sendAgain(replay.get());
        }
        long position = queue.position();
        List<SinkQueue.Item> batch = queue.read(position, position < singleUntil ? 1 : batchSize);
        if (batch.isEmpty()) {
            return Optional.empty();
        }
        long last = batch.get(batch.size() - 1).sequence();
        SinkResponse response =
                send(batch.stream().map(SinkQueue.Item::document).toList());
        if (response instanceof Unavailable unavailable) {
            return Optional.of(retryDelay(unavailable));
        } else if (response instanceof Refused refused && batch.size() > 1) {
            LOG.debug("The sink refused a batch with status {}; sending its records one by one", refused.status());
            singleUntil = last;
        } else if (response instanceof Refused refused) {
            queue.addDeadLetter(position, toLetter(last, refused, batch.get(0).document()));
            LOG.warn(
                    "Audit record refused by the sink: sequence={} status={}; `escapement audit dead-letters` lists it",
                    last,
                    refused.status());
        } else {
            queue.advance(position, last);
        }
        return Optional.of(Duration.ZERO);
    }

    private Optional<Duration> sendAgain(DeadLetter letter) throws InterruptedException {
        SinkResponse response = send(List.of(letter.document()));
        if (response instanceof Unavailable unavailable) {
            return Optional.of(retryDelay(unavailable));
        } else if (response instanceof Refused refused) {
            queue.replaceDeadLetter(toLetter(letter.sequence(), refused, letter.document()));
        } else {
            queue.removeDeadLetter(letter.sequence());
        }
        return Optional.of(Duration.ZERO);
    }

    private DeadLetter toLetter(long sequence, Refused refused, String document) {
        return new DeadLetter(sequence, refused.status(), refused.error(), clock.instant(), false, document);
    }

    private SinkResponse send(List<String> documents) throws InterruptedException {
        SinkResponse response = client.send(documents);
        listener.accept(response);
        if (response instanceof Unavailable unavailable) {
            failures++;
            failureLog.recordFailure(new SinkUnavailableException(unavailable.error()));
        } else {
            failures = 0;
            failureLog.recordSuccess();
        }
        return response;
    }

    /** The sink may ask for a longer delay than the backoff, not for a shorter one. */
    private Duration retryDelay(Unavailable unavailable) {
        Duration backoff = BACKOFF.delay(failures, server + "#" + failures);
        Duration requested = unavailable.retryAfter().orElse(Duration.ZERO);
        Duration bounded = requested.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : requested;
        return bounded.compareTo(backoff) > 0 ? bounded : backoff;
    }

    /** Lets another server continue at once. */
    public void release() {
        queue.release();
    }

    /** Only for the log. */
    private static final class SinkUnavailableException extends Exception {
        private static final long serialVersionUID = 1;

        SinkUnavailableException(String message) {
            super(message, null, false, false);
        }
    }
}
