package dev.escapement.endpoints;

import dev.escapement.endpoints.store.Lease;
import dev.escapement.endpoints.store.Stored;
import dev.escapement.governor.plan.Hint;
import dev.escapement.governor.plan.RunHistory;
import dev.escapement.storage.jdbc.DocumentJson;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** An endpoint as it is shown: what can be sent back to change it, and its status. Without secrets. */
public final class EndpointView {

    /** Values of such headers are not shown: they let somebody in somewhere. */
    private static final Pattern SECRET =
            Pattern.compile("auth|cookie|token|secret|passw|passphrase|credential|signature|session|jwt|bearer"
                    + "|(api|access|private)[-_]?key|[-_]key$");

    private EndpointView() {}

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
    public static Map<String, Object> write(Stored stored, Instant now) {
        Endpoint endpoint = stored.endpoint();
        Map<String, Object> kept = StoredDocument.write(endpoint.definition(), endpoint.steering());
        Map<String, Object> document = new LinkedHashMap<>(kept);
        document.put("headers", shown(endpoint.definition().headers()));
        document.computeIfPresent("signingKey", (key, secret) -> EndpointDocument.HIDDEN);
        StoredDocument.BESIDES.forEach(document::remove);
        document.put("id", endpoint.id());
        document.put("createdAt", endpoint.createdAt().toString());
        document.put("revision", stored.revision());
        document.put(
                "hints",
                endpoint.steering().hints().stream()
                        .map(hint -> hint(hint, endpoint.history(), now))
                        .toList());
        document.put("status", status(stored, now));
        return document;
    }

    /** What it is like. */
    public static State state(Endpoint endpoint, Instant now) {
        if (endpoint.steering().archived()) {
            return State.ARCHIVED;
        } else if (endpoint.steering()
                .pausedUntil()
                .filter(until -> until.isAfter(now))
                .isPresent()) {
            return State.PAUSED;
        } else if (endpoint.history().lastRun().isEmpty()) {
            return State.NEW;
        }
        return endpoint.history().failures() > 0 ? State.FAILING : State.HEALTHY;
    }

    private static Map<String, String> shown(Map<String, String> headers) {
        Map<String, String> shown = new TreeMap<>(headers);
        shown.replaceAll((name, value) ->
                SECRET.matcher(name.toLowerCase(Locale.ROOT)).find() ? EndpointDocument.HIDDEN : value);
        return shown;
    }

    private static Map<String, Object> hint(Hint hint, RunHistory history, Instant now) {
        Map<String, Object> document = new LinkedHashMap<>(StoredDocument.hint(hint));
        document.put("state", history.hasFulfilled(hint) ? "ANSWERED" : hint.isExpired(now) ? "EXPIRED" : "ACTIVE");
        return document;
    }

    private static Map<String, Object> status(Stored stored, Instant now) {
        Endpoint endpoint = stored.endpoint();
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("state", state(endpoint, now).name());
        status.put("failures", endpoint.history().failures());
        status.put("runs", endpoint.number() - 1);
        endpoint.history().lastRun().ifPresent(run -> {
            Map<String, Object> last = new LinkedHashMap<>();
            last.put("id", Endpoint.occurrence(endpoint.id(), endpoint.number() - 1));
            last.put("slot", run.slot().toString());
            last.put("endedAt", run.endedAt().toString());
            status.put("lastRun", last);
        });
        endpoint.steering()
                .pause()
                .filter(pause -> pause.until().isAfter(now))
                .ifPresent(pause -> status.put("pause", pause(pause)));
        endpoint.steering().runRequest().ifPresent(wish -> {
            Map<String, Object> asked = new LinkedHashMap<>();
            asked.put("at", wish.at().toString());
            asked.put("by", wish.author());
            asked.put("reason", wish.reason());
            status.put("runRequest", asked);
        });
        Optional<Lease> running = stored.lease().filter(lease -> lease.until().isAfter(now));
        running.ifPresent(lease -> status.put("running", running(endpoint, lease)));
        if (running.isEmpty()) {
            endpoint.planned().at().ifPresent(at -> status.put("nextRun", next(endpoint, at)));
        }
        status.put("plan", DocumentJson.read(endpoint.planned().story()));
        endpoint.remedy().ifPresent(remedy -> status.put("remediation", RemedyDocument.write(remedy)));
        return status;
    }

    private static Map<String, Object> pause(Pause pause) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("until", pause.until().toString());
        document.put("by", pause.author());
        document.put("reason", pause.reason());
        return document;
    }

    private static Map<String, Object> running(Endpoint endpoint, Lease lease) {
        Map<String, Object> running = new LinkedHashMap<>();
        running.put("id", endpoint.occurrence());
        running.put("slot", endpoint.planned().at().map(Instant::toString).orElse(""));
        running.put("since", lease.since().toString());
        running.put("worker", lease.worker());
        running.put("attempt", lease.attempt());
        running.put("leaseUntil", lease.until().toString());
        return running;
    }

    private static Map<String, Object> next(Endpoint endpoint, Instant at) {
        Map<String, Object> next = new LinkedHashMap<>();
        next.put("id", endpoint.occurrence());
        next.put("at", at.toString());
        next.put("source", endpoint.planned().source());
        return next;
    }
}
