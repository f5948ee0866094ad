package dev.escapement.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ClientJson;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * An execution's document with names for its parts. What is missing is empty.
 *
 * @param document as the server sent it
 */
public record ExecutionJsonView(JsonNode document) {

    /** Where requests go that name no namespace. */
    public static final String DEFAULT_NAMESPACE = "default";

    public String name() {
        return text("/metadata/name");
    }

    public String namespace() {
        return text("/metadata/namespace");
    }

    /** As people type it: the namespace only where it is not the usual one. */
    public String shortName() {
        return namespace().isEmpty() || namespace().equals(DEFAULT_NAMESPACE) ? name() : namespace() + "/" + name();
    }

    public String uid() {
        return text("/metadata/uid");
    }

    public String workflow() {
        return text("/spec/workflowRef/workflowId");
    }

    public String target() {
        return text("/spec/targetResource");
    }

    /** Pending as long as nobody has looked at it. */
    public String phase() {
        String phase = text("/status/phase");
        return phase.isEmpty() ? "Pending" : phase;
    }

    public boolean isFinished() {
        return hasPhase("Completed") || hasPhase("Failed") || hasPhase("Skipped");
    }

    public boolean hasPhase(String phase) {
        return phase().equals(phase);
    }

    /** Whether it failed when some of it had run, or may have. What is not said counts as that. */
    public boolean failedDuringExecution() {
        return hasPhase("Failed")
                && !text("/status/failureDetails/wasExecutionFailure").equals("false");
    }

    /** Why it failed or was skipped, as a code. */
    public String reason() {
        return firstNonEmpty("/status/failureDetails/reason", "/status/skipDetails/reason");
    }

    /** Why it failed or was skipped, or what it is doing, for a person. */
    public String message() {
        return firstNonEmpty(
                "/status/failureDetails/message", "/status/skipDetails/message", "/status/pipelineRunStatus/message");
    }

    /** How far it is, as in {@code 2/3}; empty if it does not say. */
    public String progress() {
        return progress(document.at("/status/pipelineRunStatus"));
    }

    /** The same from that part of a status alone. */
    public static String progress(JsonNode run) {
        String total = ClientJson.text(run, "/totalTasks");
        return total.isEmpty() || total.equals("0") ? "" : ClientJson.text(run, "/completedTasks") + "/" + total;
    }

    public Optional<Instant> createdAt() {
        return instant("/metadata/creationTimestamp");
    }

    public Optional<Instant> startedAt() {
        return instant("/status/startTime");
    }

    public Optional<Instant> endedAt() {
        return instant("/status/completionTime");
    }

    /** How long it ran, or has been running. */
    public Optional<Duration> duration(Instant now) {
        return startedAt().map(start -> Duration.between(start, endedAt().orElse(now)));
    }

    /** From when on the same may be tried again, if time alone is in the way. */
    public Optional<Instant> nextAllowed() {
        return instant("/status/nextAllowedExecution").or(() -> instant("/status/skipDetails/nextAllowedExecution"));
    }

    /** The execution that was in the way, as people type it. */
    public String conflictingExecution() {
        String namespace = text("/status/skipDetails/conflictingWorkflow/namespace");
        String name = text("/status/skipDetails/conflictingWorkflow/name");
        return namespace.isEmpty() || namespace.equals(DEFAULT_NAMESPACE) ? name : namespace + "/" + name;
    }

    public String text(String pointer) {
        return ClientJson.text(document, pointer);
    }

    private Optional<Instant> instant(String pointer) {
        return ClientJson.instant(document, pointer);
    }

    private String firstNonEmpty(String... pointers) {
        for (String pointer : pointers) {
            if (!text(pointer).isEmpty()) {
                return text(pointer);
            }
        }
        return "";
    }
}
