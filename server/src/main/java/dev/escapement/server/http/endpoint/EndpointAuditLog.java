package dev.escapement.server.http.endpoint;

import dev.escapement.common.SafeText;
import dev.escapement.server.http.AccessFilter;
import dev.escapement.server.http.CallerIdentity;
import dev.escapement.server.http.RequestBodies;
import io.javalin.http.Context;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who asked what of which endpoint, and why: for the log. */
public final class EndpointAuditLog {

    private static final Logger LOG = LoggerFactory.getLogger("escapement.endpoints");
    private static final int MAX_VALUE_LENGTH = 500;

    private final AccessFilter accessFilter;

    public EndpointAuditLog(AccessFilter guard) {
        this.accessFilter = guard;
    }

    String resolveCaller(Context context, Map<String, Object> body) {
        return CallerIdentity.resolve(context, body, accessFilter.needsToken());
    }

    /** Says it. What people wrote is put on one line, so that nobody can forge another one. */
    void logRequest(Context context, String endpoint, String what, Map<String, Object> body) {
        LOG.atInfo()
                .addKeyValue("endpoint", SafeText.sanitize(endpoint, MAX_VALUE_LENGTH))
                .addKeyValue("by", resolveCaller(context, body))
                .log(
                        "{}{}",
                        what,
                        RequestBodies.readText(body, "reason")
                                .map(reason -> ": " + SafeText.sanitize(reason, MAX_VALUE_LENGTH))
                                .orElse(""));
    }

    /** Many at once are one line. */
    void logImport(Context context, int added, int changed) {
        LOG.atInfo()
                .addKeyValue("by", resolveCaller(context, Map.of()))
                .log("import: {} added, {} changed", added, changed);
    }
}
