package dev.escapement.engine.mapping;

import dev.escapement.api.ObjectMetadata;
import dev.escapement.api.target.PastExecution;
import dev.escapement.api.target.RemediationTarget;
import dev.escapement.api.target.RemediationTarget.RemediationTargetSpec;
import dev.escapement.api.target.RemediationTargetStatus;
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

    private TargetMapper() {}

    /**
     * Returns the document of an entry.
     *
     * @param resourceVersion empty for none
     */
    public static RemediationTarget toDocument(LedgerEntry entry, String resourceVersion) {
        ObjectMetadata metadata = new ObjectMetadata(
                entry.target().objectName(),
                null,
                null,
                null,
                null,
                null,
                FieldParser.orNull(resourceVersion),
                Map.of(),
                Map.of(),
                List.of(),
                List.of(),
                Map.of());
        return RemediationTarget.of(
                metadata, new RemediationTargetSpec(entry.target().canonical(), Map.of()), status(entry));
    }

    private static RemediationTargetStatus status(LedgerEntry entry) {
        List<WorkflowHistory> workflows = entry.memory().workflows().entrySet().stream()
                .map(memory -> workflow(memory.getKey(), memory.getValue()))
                .toList();
        return new RemediationTargetStatus(
                TargetState.ofStored(entry),
                null,
                entry.epoch(),
                entry instanceof Held held ? ReferenceMapper.toRecord(held.holder(), null) : null,
                retry(entry.memory().failureStreak()),
                workflows,
                entry.clearance().map(ReferenceMapper::toRecord).orElse(null),
                Map.of());
    }

    private static WorkflowHistory workflow(String id, WorkflowMemory memory) {
        return new WorkflowHistory(
                id, retry(memory.failureStreak()), past(memory.block()), past(memory.lastCompleted()), Map.of());
    }

    private static @Nullable RetryState retry(Optional<FailureStreak> streak) {
        return streak.map(known -> new RetryState(
                        known.failures(),
                        known.nextAllowed().toString(),
                        ReferenceMapper.toRecord(known.last()),
                        Map.of()))
                .orElse(null);
    }

    private static @Nullable PastExecution past(Optional<EndedExecution> ended) {
        return ended.map(ReferenceMapper::toRecord).orElse(null);
    }

    /**
     * Returns the entry of a stored document. Fields that this version does not know are ignored.
     *
     * @throws IllegalArgumentException if a value is missing or invalid; the message lists every problem
     */
    public static LedgerEntry fromDocument(RemediationTarget document) {
        FieldParser parser = new FieldParser();
        Target target = Target.parse(Optional.ofNullable(document.spec())
                .map(RemediationTargetSpec::targetResource)
                .orElse(""));
        Optional<RemediationTargetStatus> status = Optional.ofNullable(document.status());
        SortedMap<String, WorkflowMemory> workflows = new TreeMap<>();
        status.map(RemediationTargetStatus::workflows)
                .orElse(List.of())
                .forEach(history -> workflows.put(FieldParser.text(history.workflowId()), memory(parser, history)));
        TargetMemory memory = new TargetMemory(
                status.map(RemediationTargetStatus::retry).map(retry -> streak(parser, "status.retry", retry)),
                workflows);
        long epoch =
                FieldParser.count(status.map(RemediationTargetStatus::epoch).orElse(null));
        Optional<Clearance> clearance = status.map(RemediationTargetStatus::clearance)
                .map(record -> ReferenceMapper.fromRecord(parser, "status.clearance", record));
        LedgerEntry entry = status.map(RemediationTargetStatus::holder)
                .map(holder -> ReferenceMapper.fromRecord(parser, "status.holder", holder))
                .<LedgerEntry>map(holder -> new Held(target, epoch, memory, clearance, holder))
                .orElseGet(() -> new Free(target, epoch, memory, clearance));
        parser.throwIfInvalid(RemediationTarget.KIND + " of " + target);
        return entry;
    }

    private static WorkflowMemory memory(FieldParser parser, WorkflowHistory history) {
        String path = "status.workflows[]";
        return new WorkflowMemory(
                Optional.ofNullable(history.retry()).map(retry -> streak(parser, path + ".retry", retry)),
                Optional.ofNullable(history.block())
                        .map(past -> ReferenceMapper.fromRecord(parser, path + ".block", past)),
                Optional.ofNullable(history.completed())
                        .map(past -> ReferenceMapper.fromRecord(parser, path + ".completed", past)));
    }

    private static FailureStreak streak(FieldParser parser, String path, RetryState retry) {
        PastExecution last = Optional.ofNullable(retry.last())
                .orElseGet(
                        () -> new PastExecution(null, null, null, null, null, null, null, null, null, null, Map.of()));
        return new FailureStreak(
                FieldParser.count(retry.consecutiveFailures()),
                parser.instant(path + ".nextAllowedExecution", retry.nextAllowedExecution()),
                ReferenceMapper.fromRecord(parser, path + ".last", last));
    }
}
