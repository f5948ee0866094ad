package dev.escapement.engine.document;

import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.governor.ledger.Holder;
import dev.escapement.governor.ledger.Past;
import java.time.Instant;

/** What the documents of both resources have in common. */
final class Resource {

    static final String API_VERSION = "kubernaut.ai/v1alpha1";

    private Resource() {}

    static Tree of(String kind) {
        return new Tree().put("apiVersion", API_VERSION).put("kind", kind);
    }

    static Tree ref(ExecutionRef ref) {
        return new Tree()
                .put("name", ref.name())
                .put("namespace", ref.namespace())
                .put("uid", ref.uid());
    }

    static ExecutionRef ref(Fields fields) {
        return new ExecutionRef(fields.text("namespace"), fields.text("name"), fields.text("uid"));
    }

    static Tree holder(Holder holder) {
        return ref(holder.execution())
                .put("workflowId", holder.workflow())
                .put("startedAt", holder.since())
                .put("pipelineRun", new Tree().put("name", holder.runName()).put("uid", holder.run()));
    }

    static Holder holder(Fields fields) {
        Fields run = fields.object("pipelineRun");
        return new Holder(
                ref(fields),
                fields.text("workflowId"),
                run.text("uid"),
                run.text("name"),
                instant(fields, "startedAt"));
    }

    static Tree past(Past past) {
        Tree tree = ref(past.execution())
                .put("workflowId", past.workflow())
                .put("completedAt", past.at())
                .put("outcome", past.reason().isEmpty() ? "Completed" : "Failed")
                .put("reason", past.reason());
        return past.afterDeletion() ? tree.put("executionDeleted", true) : tree;
    }

    static Past past(Fields fields) {
        return new Past(
                ref(fields),
                fields.text("workflowId"),
                instant(fields, "completedAt"),
                fields.text("reason"),
                fields.truth("executionDeleted"));
    }

    /** A time that a document of ours always has. */
    static Instant instant(Fields fields, String key) {
        return fields.instant(key).orElseGet(() -> {
            fields.problem(key, "is missing");
            return Instant.EPOCH;
        });
    }
}
