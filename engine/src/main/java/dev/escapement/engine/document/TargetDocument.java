package dev.escapement.engine.document;

import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.FailureStreak;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.TargetMemory;
import dev.escapement.governor.ledger.WorkflowMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A ledger entry as the resource {@code RemediationTarget}. */
public final class TargetDocument {

    /** The kind of the resource. */
    public static final String KIND = "RemediationTarget";

    private TargetDocument() {}

    /** The whole document. */
    public static Map<String, Object> write(LedgerEntry entry, String resourceVersion) {
        DocumentTree metadata =
                new DocumentTree().put("name", entry.target().objectName()).put("resourceVersion", resourceVersion);
        return ResourceDocument.of(KIND)
                .put("metadata", metadata)
                .put(
                        "spec",
                        new DocumentTree().put("targetResource", entry.target().canonical()))
                .put("status", status(entry))
                .fields();
    }

    private static DocumentTree status(LedgerEntry entry) {
        DocumentTree status = new DocumentTree().put("state", state(entry)).put("epoch", entry.epoch());
        if (entry instanceof Held held) {
            status.put("holder", ResourceDocument.holder(held.holder()));
        }
        entry.memory().failureStreak().ifPresent(retry -> status.put("retry", retry(retry)));
        List<Map<String, Object>> workflows = new ArrayList<>();
        entry.memory()
                .workflows()
                .forEach((id, memory) -> workflows.add(workflow(id, memory).fields()));
        if (!workflows.isEmpty()) {
            status.put("workflows", workflows);
        }
        entry.clearance().ifPresent(clearance -> status.put("clearance", clearance(clearance)));
        return status;
    }

    /** The most pressing of what is true, for people who look at a list. Under the policy as it may be now. */
    private static String state(LedgerEntry entry) {
        if (entry instanceof Held) {
            return "Held";
        }
        boolean blocked = entry.memory().workflows().values().stream()
                .anyMatch(memory -> memory.block().isPresent());
        if (blocked) {
            return "Blocked";
        }
        return entry.memory().hasFailures() ? "BackingOff" : "Free";
    }

    private static DocumentTree workflow(String id, WorkflowMemory memory) {
        DocumentTree tree = new DocumentTree().put("workflowId", id);
        memory.failureStreak().ifPresent(retry -> tree.put("retry", retry(retry)));
        memory.block().ifPresent(past -> tree.put("block", ResourceDocument.past(past)));
        memory.lastCompleted().ifPresent(past -> tree.put("completed", ResourceDocument.past(past)));
        return tree;
    }

    private static DocumentTree retry(FailureStreak retry) {
        return new DocumentTree()
                .put("consecutiveFailures", retry.failures())
                .put("nextAllowedExecution", retry.nextAllowed())
                .put("last", ResourceDocument.past(retry.last()));
    }

    static DocumentTree clearance(Clearance clearance) {
        return new DocumentTree()
                .put("clearedBy", clearance.actor())
                .put("clearReason", clearance.reason())
                .put("clearedAt", clearance.at());
    }

    /**
     * A stored document back. Fields that it does not know are ignored: a newer version may have written them.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static LedgerEntry read(Map<String, ?> document) {
        List<String> problems = new ArrayList<>();
        DocumentFields root = DocumentFields.root(document, problems);
        Target target = Target.parse(root.object("spec").text("targetResource"));
        DocumentFields status = root.object("status");
        SortedMap<String, WorkflowMemory> workflows = new TreeMap<>();
        for (DocumentFields workflow : status.objects("workflows")) {
            workflows.put(workflow.text("workflowId"), memory(workflow));
        }
        TargetMemory memory = new TargetMemory(status.optionalObject("retry").map(TargetDocument::retry), workflows);
        long epoch = status.whole("epoch").orElse(0L);
        Optional<Clearance> clearance = status.optionalObject("clearance").map(TargetDocument::clearance);
        LedgerEntry entry = status.optionalObject("holder")
                .<LedgerEntry>map(holder -> new Held(target, epoch, memory, clearance, ResourceDocument.holder(holder)))
                .orElseGet(() -> new Free(target, epoch, memory, clearance));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "RemediationTarget of %s: %s".formatted(target, String.join("; ", problems)));
        }
        return entry;
    }

    private static WorkflowMemory memory(DocumentFields fields) {
        return new WorkflowMemory(
                fields.optionalObject("retry").map(TargetDocument::retry),
                fields.optionalObject("block").map(ResourceDocument::past),
                fields.optionalObject("completed").map(ResourceDocument::past));
    }

    private static FailureStreak retry(DocumentFields fields) {
        return new FailureStreak(
                fields.count("consecutiveFailures"),
                ResourceDocument.instant(fields, "nextAllowedExecution"),
                ResourceDocument.past(fields.object("last")));
    }

    static Clearance clearance(DocumentFields fields) {
        return new Clearance(
                fields.text("clearedBy"), fields.text("clearReason"), ResourceDocument.instant(fields, "clearedAt"));
    }
}
