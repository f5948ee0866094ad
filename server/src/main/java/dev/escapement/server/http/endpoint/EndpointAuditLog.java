package dev.escapement.server.http.endpoint;

import dev.escapement.common.SafeText;
import dev.escapement.server.http.CallerResolver;
import dev.escapement.server.http.RequestBodies;
import io.javalin.http.Context;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs who changed which endpoint, and why. */
public record EndpointAuditLog(CallerResolver callers) {

    private static final Logger LOG = LoggerFactory.getLogger("escapement.endpoints");
    private static final int MAX_VALUE_LENGTH = 500;

    String resolveCaller(Context context, Map<String, Object> body) {
        return callers.resolve(context, body);
    }

    /** Logs one line. Line breaks in values are replaced, so that a value cannot forge another line. */
    void logRequest(Context context, String endpoint, String action, Map<String, Object> body) {
        LOG.atInfo()
                .addKeyValue("endpoint", SafeText.sanitize(endpoint, MAX_VALUE_LENGTH))
                .addKeyValue("by", resolveCaller(context, body))
                .log(
                        "{}{}",
                        action,
                        RequestBodies.readText(body, "reason")
                                .map(reason -> ": " + SafeText.sanitize(reason, MAX_VALUE_LENGTH))
                                .orElse(""));
    }

    void logImport(Context context, int added, int changed) {
        LOG.atInfo()
                .addKeyValue("by", resolveCaller(context, Map.of()))
                .log("imported: added={} changed={}", added, changed);
    }
}
