package dev.escapement.server.endpoint;

import dev.escapement.common.SafeText;
import dev.escapement.endpoints.model.FinishedRun;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Runs of endpoints as lines in the log: that one begins to fail and that it works again is news, all else is detail.
 * Nothing of the request or of the answer is in them but the error, which holds no secrets.
 */
public final class EndpointRunLogger {

    private static final Logger LOG = LoggerFactory.getLogger("escapement.runs");
    private static final int MAX_VALUE_LENGTH = 500;

    /** Says what happened. */
    public void log(FinishedRun run) {
        boolean failed = !run.callResult().isSuccess();
        boolean news = failed ? run.failuresBefore() == 0 : run.failuresBefore() > 0;
        if (!news && !LOG.isDebugEnabled()) {
            // Thousands a second, on the thread of the worker.
            return;
        }
        LoggingEventBuilder line = (news ? LOG.atInfo() : LOG.atDebug())
                .addKeyValue("endpoint", SafeText.sanitize(run.endpointName(), MAX_VALUE_LENGTH))
                .addKeyValue("run", run.id());
        if (failed) {
            line.addKeyValue(
                            "failure",
                            run.callResult().failure().map(Enum::name).orElse("-"))
                    .addKeyValue("failures", run.failuresAfter())
                    .log("failed: {}", SafeText.sanitize(run.callResult().error(), MAX_VALUE_LENGTH));
        } else {
            line.log(news ? "works again after {} failures" : "succeeded after {} failures", run.failuresBefore());
        }
    }
}
