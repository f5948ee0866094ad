package dev.escapement.kubernetes.audit;

import dev.escapement.engine.port.Journal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * How far the audit records were delivered.
 *
 * @param journalPosition up to here the records of the journal were delivered or stored in batches
 * @param batches stored records that were not delivered, oldest first; they come before those of the journal
 * @param offset how many records of the first batch were delivered
 * @param recordedUntil transitions up to this time were delivered, or are in a batch or in the journal
 * @param nextLetter the number of the next refused record
 * @param letters refused records
 */
record AuditPosition(
        String journalPosition,
        List<Batch> batches,
        int offset,
        Instant recordedUntil,
        long nextLetter,
        List<RefusedRecord> letters) {

    /** Nothing was delivered yet: all that is stored is to be sent. */
    static final AuditPosition INITIAL = new AuditPosition(Journal.START, List.of(), 0, Instant.EPOCH, 1, List.of());

    /**
     * Records in an object of their own.
     *
     * @param name of the object
     * @param oldest when the first of them happened
     */
    record Batch(String name, int records, Instant oldest) {}

    AuditPosition {
        batches = List.copyOf(batches);
        letters = List.copyOf(letters);
    }

    /** Returns the same with another place in what is to be delivered. */
    AuditPosition at(String position, int delivered, Instant recorded) {
        return new AuditPosition(position, batches, delivered, recorded, nextLetter, letters);
    }

    AuditPosition withBatch(Batch added) {
        List<Batch> more = new ArrayList<>(batches);
        more.add(added);
        return new AuditPosition(journalPosition, more, offset, recordedUntil, nextLetter, letters);
    }

    AuditPosition withoutFirstBatch() {
        return new AuditPosition(
                journalPosition, batches.subList(1, batches.size()), 0, recordedUntil, nextLetter, letters);
    }

    AuditPosition withLetter(RefusedRecord letter) {
        List<RefusedRecord> more = new ArrayList<>(letters);
        more.add(letter.withSequence(nextLetter));
        return new AuditPosition(journalPosition, batches, offset, recordedUntil, nextLetter + 1, more);
    }

    AuditPosition withLetters(UnaryOperator<RefusedRecord> change) {
        return withLetters(letters.stream().map(change).toList());
    }

    AuditPosition withoutLetter(long sequence) {
        return withLetters(
                letters.stream().filter(letter -> letter.sequence() != sequence).toList());
    }

    private AuditPosition withLetters(List<RefusedRecord> changed) {
        return new AuditPosition(journalPosition, batches, offset, recordedUntil, nextLetter, changed);
    }

    /** Returns whether nobody else has delivered or stored records: the letters may differ. */
    boolean hasSameProgress(AuditPosition other) {
        return journalPosition.equals(other.journalPosition) && batches.equals(other.batches) && offset == other.offset;
    }

    long letterCharacters() {
        return letters.stream()
                .mapToLong(letter -> letter.document().length() + letter.error().length())
                .sum();
    }
}
