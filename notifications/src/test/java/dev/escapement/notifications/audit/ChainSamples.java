package dev.escapement.notifications.audit;

import static dev.escapement.engine.contract.ExecutionSamples.NOW;

import dev.escapement.api.audit.AuditRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Chains for tests. */
final class ChainSamples {

    private ChainSamples() {}

    static AuditRecord record(long number) {
        return new AuditRecord(
                "id-" + number,
                "WorkflowSkipped",
                NOW.plusSeconds(number).toString(),
                "ops/rr-" + number % 7,
                number % 3 == 0 ? "anna" : null,
                "ops/e" + number,
                "uid-" + number,
                "ops/rr-" + number % 7,
                "repair",
                "node/worker-" + number % 5,
                "ResourceBusy",
                "ResourceBusy",
                "ops/e0",
                null,
                "the target is held by \"ops/e0\" \u00e9\ud83d\ude00",
                Map.of("until", NOW.plusSeconds(600).toString()),
                Map.of());
    }

    /** Returns entries 1 to {@code count}. */
    static List<ChainEntry> chain(int count) {
        List<ChainEntry> entries = new ArrayList<>();
        String hash = ChainEntry.FIRST_PREVIOUS_HASH;
        for (long sequence = 0; sequence < count; sequence++) {
            ChainEntry entry = ChainEntry.after(sequence, hash, record(sequence + 1));
            entries.add(entry);
            hash = entry.hash();
        }
        return entries;
    }
}
