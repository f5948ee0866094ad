package dev.escapement.engine.document;

import dev.escapement.governor.Target;
import dev.escapement.governor.ledger.Clearance;
import dev.escapement.governor.ledger.LedgerEntry;
import dev.escapement.governor.ledger.LedgerEntry.Free;
import dev.escapement.governor.ledger.LedgerEntry.Held;
import dev.escapement.governor.ledger.Retry;
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
        Tree metadata = new Tree().put("name", entry.target().objectName()).put("resourceVersion", resourceVersion);
        return Resource.of(KIND)
                .put("metadata", metadata)
                .put("spec", new Tree().put("targetResource", entry.target().canonical()))
                .put("status", status(entry))
                .fields();
    }

    private static Tree status(LedgerEntry entry) {
        Tree status = new Tree().put("state", state(entry)).put("epoch", entry.epoch());
        if (entry instanceof Held held) {
            status.put("holder", Resource.holder(held.holder()));
        }
        entry.memory().retry().ifPresent(retry -> status.put("retry", retry(retry)));
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

    private static Tree workflow(String id, WorkflowMemory memory) {
        Tree tree = new Tree().put("workflowId", id);
        memory.retry().ifPresent(retry -> tree.put("retry", retry(retry)));
        memory.block().ifPresent(past -> tree.put("block", Resource.past(past)));
        memory.completed().ifPresent(past -> tree.put("completed", Resource.past(past)));
        return tree;
    }

    private static Tree retry(Retry retry) {
        return new Tree()
                .put("consecutiveFailures", retry.failures())
                .put("nextAllowedExecution", retry.nextAllowed())
                .put("last", Resource.past(retry.last()));
    }

    static Tree clearance(Clearance clearance) {
        return new Tree()
                .put("clearedBy", clearance.by())
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
        Fields root = Fields.root(document, problems);
        Target target = Target.parse(root.object("spec").text("targetResource"));
        Fields status = root.object("status");
        SortedMap<String, WorkflowMemory> workflows = new TreeMap<>();
        for (Fields workflow : status.objects("workflows")) {
            workflows.put(workflow.text("workflowId"), memory(workflow));
        }
        TargetMemory memory = new TargetMemory(status.optionalObject("retry").map(TargetDocument::retry), workflows);
        long epoch = status.whole("epoch").orElse(0L);
        Optional<Clearance> clearance = status.optionalObject("clearance").map(TargetDocument::clearance);
        LedgerEntry entry = status.optionalObject("holder")
                .<LedgerEntry>map(holder -> new Held(target, epoch, memory, clearance, Resource.holder(holder)))
                .orElseGet(() -> new Free(target, epoch, memory, clearance));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "RemediationTarget of %s: %s".formatted(target, String.join("; ", problems)));
        }
        return entry;
    }

    private static WorkflowMemory memory(Fields fields) {
        return new WorkflowMemory(
                fields.optionalObject("retry").map(TargetDocument::retry),
                fields.optionalObject("block").map(Resource::past),
                fields.optionalObject("completed").map(Resource::past));
    }

    private static Retry retry(Fields fields) {
        return new Retry(
                fields.count("consecutiveFailures"),
                Resource.instant(fields, "nextAllowedExecution"),
                Resource.past(fields.object("last")));
    }

    static Clearance clearance(Fields fields) {
        return new Clearance(
                fields.text("clearedBy"), fields.text("clearReason"), Resource.instant(fields, "clearedAt"));
    }
}
