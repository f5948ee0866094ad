package dev.escapement.server.http;

import dev.escapement.governor.SafeText;
import io.javalin.http.Context;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who asked what of which endpoint, and why: for the log. */
final class EndpointLog {

    private static final Logger LOG = LoggerFactory.getLogger("escapement.endpoints");
    private static final int LONGEST = 500;

    private final Guard guard;

    EndpointLog(Guard guard) {
        this.guard = guard;
    }

    String who(Context context, Map<String, Object> body) {
        return Who.asks(context, body, guard.needsToken());
    }

    /** Says it. What people wrote is put on one line, so that nobody can forge another one. */
    void asked(Context context, String endpoint, String what, Map<String, Object> body) {
        LOG.atInfo()
                .addKeyValue("endpoint", SafeText.sanitize(endpoint, LONGEST))
                .addKeyValue("by", who(context, body))
                .log(
                        "{}{}",
                        what,
                        Bodies.text(body, "reason")
                                .map(reason -> ": " + SafeText.sanitize(reason, LONGEST))
                                .orElse(""));
    }

    /** Many at once are one line. */
    void brought(Context context, int added, int changed) {
        LOG.atInfo().addKeyValue("by", who(context, Map.of())).log("import: {} added, {} changed", added, changed);
    }
}
