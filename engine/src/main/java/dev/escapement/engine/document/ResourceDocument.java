package dev.escapement.engine.document;

import dev.escapement.governor.ledger.EndedExecution;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import java.time.Instant;

/** What the documents of both resources have in common. */
final class ResourceDocument {

    static final String API_VERSION = "kubernaut.ai/v1alpha1";

    private ResourceDocument() {}

    static DocumentTree of(String kind) {
        return new DocumentTree().put("apiVersion", API_VERSION).put("kind", kind);
    }

    static DocumentTree ref(ExecutionRef ref) {
        return new DocumentTree()
                .put("name", ref.name())
                .put("namespace", ref.namespace())
                .put("uid", ref.uid());
    }

    static ExecutionRef ref(DocumentFields fields) {
        return new ExecutionRef(fields.text("namespace"), fields.text("name"), fields.text("uid"));
    }

    static DocumentTree holder(Holder holder) {
        return ref(holder.execution())
                .put("workflowId", holder.workflow())
                .put("startedAt", holder.since())
                .put(
                        "pipelineRun",
                        new DocumentTree().put("name", holder.runName()).put("uid", holder.runUid()));
    }

    static Holder holder(DocumentFields fields) {
        DocumentFields run = fields.object("pipelineRun");
        return new Holder(
                ref(fields),
                fields.text("workflowId"),
                run.text("uid"),
                run.text("name"),
                instant(fields, "startedAt"));
    }

    static DocumentTree past(EndedExecution past) {
        DocumentTree tree = ref(past.execution())
                .put("workflowId", past.workflow())
                .put("completedAt", past.endedAt())
                .put("outcome", past.reason().isEmpty() ? "Completed" : "Failed")
                .put("reason", past.reason());
        return past.afterDeletion() ? tree.put("executionDeleted", true) : tree;
    }

    static EndedExecution past(DocumentFields fields) {
        return new EndedExecution(
                ref(fields),
                fields.text("workflowId"),
                instant(fields, "completedAt"),
                fields.text("reason"),
                fields.truth("executionDeleted"));
    }

    /** A time that a document of ours always has. */
    static Instant instant(DocumentFields fields, String key) {
        return fields.instant(key).orElseGet(() -> {
            fields.problem(key, "is missing");
            return Instant.EPOCH;
        });
    }
}
