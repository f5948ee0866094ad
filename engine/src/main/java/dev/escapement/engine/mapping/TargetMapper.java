package dev.escapement.engine.mapping;

import static dev.escapement.engine.mapping.FieldParser.count;
import static dev.escapement.engine.mapping.FieldParser.number;
import static dev.escapement.engine.mapping.FieldParser.text;

import dev.escapement.api.ObjectMetadata;
import dev.escapement.api.target.RemediationTarget;
import dev.escapement.api.target.RemediationTarget.RemediationTargetSpec;
import dev.escapement.api.target.RemediationTargetStatus;
import dev.escapement.api.target.RemediationTargetStatus.PastExecution;
import dev.escapement.api.target.RemediationTargetStatus.RetryState;
import dev.escapement.api.target.RemediationTargetStatus.WorkflowHistory;
import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.TargetMemory;
import dev.escapement.governor.ledger.WorkflowMemory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Maps ledger entries to and from {@link RemediationTarget}. */
public final class TargetMapper {

    private static final RemediationTargetStatus NO_STATUS =
            new RemediationTargetStatus(null, null, null, null, null, List.of(), null, Map.of());
    private static final PastExecution NO_EXECUTION =
            new PastExecution(null, null, null, null, null, null, null, null, null, null, Map.of());

    private TargetMapper() {}

    /**
     * Returns the document of an entry.
     *
     * @param resourceVersion empty for none
     */
    public static RemediationTarget toDocument(LedgerEntry entry, String resourceVersion) {
        RemediationTargetSpec spec = new RemediationTargetSpec(entry.target().canonical(), Map.of());
        ObjectMetadata metadata = ObjectMetadata.named(entry.target().objectName(), resourceVersion);
        return RemediationTarget.of(metadata, spec, status(entry));
    }

    private static RemediationTargetStatus status(LedgerEntry entry) {
        return new RemediationTargetStatus(
                TargetState.ofStored(entry),
                null,
                entry.epoch(),
                entry instanceof Held held ? DetailsMapper.toRecord(held.holder(), null) : null,
                retry(entry.memory().failureStreak()),
                entry.memory().workflows().entrySet().stream()
                        .map(memory -> workflow(memory.getKey(), memory.getValue()))
                        .toList(),
                entry.clearance().map(DetailsMapper::toRecord).orElse(null),
                entry.memory().unknownFields());
    }

    private static WorkflowHistory workflow(String id, WorkflowMemory memory) {
        return new WorkflowHistory(
                id,
                retry(memory.failureStreak()),
                retry(memory.invalidRequests()),
                past(memory.block()),
                past(memory.lastCompleted()),
                Map.of());
    }

    private static @Nullable RetryState retry(Optional<FailureStreak> streak) {
        return streak.map(known -> {
                    PastExecution last = DetailsMapper.toRecord(known.last(), null, null);
                    return new RetryState(
                            (long) known.failures(), FieldParser.orNull(known.nextAllowed()), last, Map.of());
                })
                .orElse(null);
    }

    private static @Nullable PastExecution past(Optional<EndedExecution> ended) {
        return ended.map(known -> DetailsMapper.toRecord(known, null, null)).orElse(null);
    }

    /**
     * Returns the entry of a stored document. Unknown fields of the status are kept.
     *
     * @throws IllegalArgumentException if a value is missing or invalid; the message lists every problem
     */
    public static LedgerEntry fromDocument(RemediationTarget document) {
        FieldParser parser = new FieldParser();
        Target target =
                Target.parse(document.spec() == null ? "" : text(document.spec().targetResource()));
        RemediationTargetStatus status = Optional.ofNullable(document.status()).orElse(NO_STATUS);
        SortedMap<String, WorkflowMemory> workflows = new TreeMap<>();
        status.workflows().forEach(history -> workflows.put(text(history.workflowId()), memory(parser, history)));
        TargetMemory memory =
                new TargetMemory(streak(parser, "status.retry", status.retry()), workflows, status.other());
        long epoch = number(status.epoch());
        Optional<Clearance> clearance = Optional.ofNullable(status.clearance())
                .map(record -> DetailsMapper.fromRecord(parser, "status.clearance", record));
        LedgerEntry entry = Optional.ofNullable(status.holder())
                .map(holder -> DetailsMapper.fromRecord(parser, "status.holder", holder))
                .<LedgerEntry>map(holder -> new Held(target, epoch, memory, clearance, holder))
                .orElseGet(() -> new Free(target, epoch, memory, clearance));
        parser.throwIfInvalid(RemediationTarget.KIND + " of " + target);
        return entry;
    }

    private static WorkflowMemory memory(FieldParser parser, WorkflowHistory history) {
        String path = "status.workflows[]";
        return new WorkflowMemory(
                streak(parser, path + ".retry", history.retry()),
                streak(parser, path + ".invalid", history.invalid()),
                ended(parser, path + ".block", history.block()),
                ended(parser, path + ".completed", history.completed()));
    }

    private static Optional<EndedExecution> ended(FieldParser parser, String path, @Nullable PastExecution past) {
        return Optional.ofNullable(past).map(record -> DetailsMapper.fromRecord(parser, path, record));
    }

    private static Optional<FailureStreak> streak(FieldParser parser, String path, @Nullable RetryState retry) {
        return Optional.ofNullable(retry)
                .map(record -> new FailureStreak(
                        count(record.consecutiveFailures()),
                        parser.optionalInstant(path + ".nextAllowedExecution", record.nextAllowedExecution()),
                        DetailsMapper.fromRecord(
                                parser, path + ".last", record.last() == null ? NO_EXECUTION : record.last())));
    }
}
