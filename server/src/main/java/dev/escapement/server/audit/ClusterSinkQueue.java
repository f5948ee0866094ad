package dev.escapement.server.audit;

import dev.escapement.kubernetes.audit.AuditOutbox;
import dev.escapement.kubernetes.audit.RefusedRecord;
import dev.escapement.notifications.audit.sink.DeadLetter;
import dev.escapement.notifications.audit.sink.SinkQueue;
import java.util.List;
import java.util.Optional;

/** What a cluster has not delivered yet. Of several replicas, the leader sends. */
public record ClusterSinkQueue(AuditOutbox outbox) implements SinkQueue {

    @Override
    public long position() {
        return outbox.position();
    }

    @Override
    public List<Item> read(long after, int limit) {
        return outbox.read(limit).stream()
                .map(item -> new Item(item.sequence(), item.document()))
                .toList();
    }

    @Override
    public boolean claim() {
        return outbox.isActive();
    }

    @Override
    public void release() {
        outbox.release();
    }

    @Override
    public void advance(long expected, long confirmed) {
        outbox.advance(expected, confirmed);
    }

    @Override
    public void addDeadLetter(long expected, DeadLetter letter) {
        outbox.addLetter(expected, toRecord(letter));
    }

    @Override
    public Optional<DeadLetter> nextReplay() {
        return outbox.nextReplay().map(ClusterSinkQueue::toLetter);
    }

    @Override
    public void removeDeadLetter(long sequence) {
        outbox.removeLetter(sequence);
    }

    @Override
    public void replaceDeadLetter(DeadLetter letter) {
        outbox.replaceLetter(toRecord(letter));
    }

    /** Lists refused records by their number. */
    public List<DeadLetter> listDeadLetters(long after, int limit) {
        return outbox.letters().stream()
                .filter(letter -> letter.sequence() > after)
                .limit(limit)
                .map(ClusterSinkQueue::toLetter)
                .toList();
    }

    /** Marks all refused records to be sent again; returns how many. */
    public int requestReplay() {
        return outbox.requestReplay();
    }

    private static RefusedRecord toRecord(DeadLetter letter) {
        return new RefusedRecord(
                letter.sequence(),
                letter.status(),
                letter.error(),
                letter.refusedAt(),
                letter.replayRequested(),
                letter.document());
    }

    private static DeadLetter toLetter(RefusedRecord refused) {
        return new DeadLetter(
                refused.sequence(),
                refused.status(),
                refused.error(),
                refused.refusedAt(),
                refused.replayRequested(),
                refused.document());
    }
}
