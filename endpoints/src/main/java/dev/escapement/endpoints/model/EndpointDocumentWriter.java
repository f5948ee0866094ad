package dev.escapement.endpoints.model;

import dev.escapement.common.Json;
import dev.escapement.governor.plan.Hint;
import dev.escapement.governor.plan.RunHistory;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** An endpoint as it is shown: what can be sent back to change it, and its status. Without secrets. */
public final class EndpointDocumentWriter {

    /** Values of such headers are not shown: they let somebody in somewhere. */
    private static final Pattern SECRET_HEADER =
            Pattern.compile("auth|cookie|token|secret|passw|passphrase|credential|signature|session|jwt|bearer"
                    + "|(api|access|private)[-_]?key|[-_]key$");

    private EndpointDocumentWriter() {}

    /** What an endpoint is like, in one word. */
    public enum State {
        /** It never ran. */
        NEW,
        /** The last run went well. */
        HEALTHY,
        /** The last run failed. */
        FAILING,
        /** Nothing runs for now. */
        PAUSED,
        /** Nothing runs any more. */
        ARCHIVED
    }

    /** The whole document. */
    public static Map<String, Object> write(StoredEndpoint stored, Instant now) {
        ScheduledEndpoint endpoint = stored.endpoint();
        Map<String, Object> kept = StoredEndpointCodec.write(endpoint.definition(), endpoint.overrides());
        Map<String, Object> document = new LinkedHashMap<>(kept);
        document.put("headers", maskSecrets(endpoint.definition().headers()));
        document.computeIfPresent("signingKey", (key, secret) -> EndpointDocumentReader.HIDDEN);
        StoredEndpointCodec.INTERNAL_FIELDS.forEach(document::remove);
        document.put("id", endpoint.id());
        document.put("createdAt", endpoint.createdAt().toString());
        document.put("revision", stored.revision());
        document.put(
                "hints",
                endpoint.overrides().hints().stream()
                        .map(hint -> writeHint(hint, endpoint.history(), now))
                        .toList());
        document.put("status", writeStatus(stored, now));
        return document;
    }

    /** What it is like. */
    public static State stateOf(ScheduledEndpoint endpoint, Instant now) {
        if (endpoint.overrides().archived()) {
            return State.ARCHIVED;
        } else if (endpoint.overrides()
                .pausedUntil()
                .filter(until -> until.isAfter(now))
                .isPresent()) {
            return State.PAUSED;
        } else if (endpoint.history().lastRun().isEmpty()) {
            return State.NEW;
        }
        return endpoint.history().failures() > 0 ? State.FAILING : State.HEALTHY;
    }

    private static Map<String, String> maskSecrets(Map<String, String> headers) {
        Map<String, String> shown = new TreeMap<>(headers);
        shown.replaceAll((name, value) ->
                SECRET_HEADER.matcher(name.toLowerCase(Locale.ROOT)).find() ? EndpointDocumentReader.HIDDEN : value);
        return shown;
    }

    private static Map<String, Object> writeHint(Hint hint, RunHistory history, Instant now) {
        Map<String, Object> document = new LinkedHashMap<>(StoredEndpointCodec.hint(hint));
        document.put("state", history.hasFulfilled(hint) ? "ANSWERED" : hint.isExpired(now) ? "EXPIRED" : "ACTIVE");
        return document;
    }

    private static Map<String, Object> writeStatus(StoredEndpoint stored, Instant now) {
        ScheduledEndpoint endpoint = stored.endpoint();
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("state", stateOf(endpoint, now).name());
        status.put("failures", endpoint.history().failures());
        status.put("runs", endpoint.nextRunNumber() - 1);
        endpoint.history().lastRun().ifPresent(run -> {
            Map<String, Object> last = new LinkedHashMap<>();
            last.put("id", ScheduledEndpoint.runId(endpoint.id(), endpoint.nextRunNumber() - 1));
            last.put("slot", run.slot().toString());
            last.put("endedAt", run.endedAt().toString());
            status.put("lastRun", last);
        });
        endpoint.overrides()
                .pause()
                .filter(pause -> pause.until().isAfter(now))
                .ifPresent(pause -> status.put("pause", writePause(pause)));
        endpoint.overrides().runRequest().ifPresent(wish -> {
            Map<String, Object> asked = new LinkedHashMap<>();
            asked.put("at", wish.at().toString());
            asked.put("by", wish.author());
            asked.put("reason", wish.reason());
            status.put("runRequest", asked);
        });
        Optional<EndpointLease> running =
                stored.lease().filter(lease -> lease.expiresAt().isAfter(now));
        running.ifPresent(lease -> status.put("running", writeCurrentRun(endpoint, lease)));
        if (running.isEmpty()) {
            endpoint.nextRun().at().ifPresent(at -> status.put("nextRun", writeNextRun(endpoint, at)));
        }
        status.put("plan", Json.readMap(endpoint.nextRun().planJson()));
        endpoint.lastRemediation()
                .ifPresent(remedy -> status.put("remediation", RemediationAttemptCodec.write(remedy)));
        return status;
    }

    private static Map<String, Object> writePause(EndpointPause pause) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("until", pause.until().toString());
        document.put("by", pause.author());
        document.put("reason", pause.reason());
        return document;
    }

    private static Map<String, Object> writeCurrentRun(ScheduledEndpoint endpoint, EndpointLease lease) {
        Map<String, Object> running = new LinkedHashMap<>();
        running.put("id", endpoint.runId());
        running.put("slot", endpoint.nextRun().at().map(Instant::toString).orElse(""));
        running.put("since", lease.claimedAt().toString());
        running.put("worker", lease.workerName());
        running.put("attempt", lease.attempt());
        running.put("leaseUntil", lease.expiresAt().toString());
        return running;
    }

    private static Map<String, Object> writeNextRun(ScheduledEndpoint endpoint, Instant at) {
        Map<String, Object> next = new LinkedHashMap<>();
        next.put("id", endpoint.runId());
        next.put("at", at.toString());
        next.put("source", endpoint.nextRun().source());
        return next;
    }
}
