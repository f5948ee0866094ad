package dev.escapement.notifications.audit.sink;

import dev.escapement.notifications.audit.AuditTrail;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The entries of the audit trail after the stored position. Of several servers, the one with the lease sends. */
record DatabaseSinkQueue(AuditTrail trail, SinkStore store, String server, Duration lease) implements SinkQueue {

    @Override
    public long position() {
        return store.position();
    }

    @Override
    public List<Item> read(long after, int limit) {
        return trail.read(after, limit).stream()
                .map(entry -> new Item(entry.sequence(), entry.document()))
                .toList();
    }

    @Override
    public boolean claim() {
        return store.claim(server, lease);
    }

    @Override
    public void release() {
        store.release(server);
    }

    @Override
    public void advance(long expected, long confirmed) {
        store.advance(server, expected, confirmed);
    }

    @Override
    public void addDeadLetter(long expected, DeadLetter letter) {
        store.addDeadLetter(server, expected, letter);
    }

    @Override
    public Optional<DeadLetter> nextReplay() {
        return store.nextReplay();
    }

    @Override
    public void removeDeadLetter(long sequence) {
        store.removeDeadLetter(sequence);
    }

    @Override
    public void replaceDeadLetter(DeadLetter letter) {
        store.replaceDeadLetter(letter);
    }
}
