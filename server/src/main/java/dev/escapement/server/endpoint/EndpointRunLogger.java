package dev.escapement.server.endpoint;

import dev.escapement.common.SafeText;
import dev.escapement.endpoints.model.FinishedRun;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs runs of endpoints: the first failure and the recovery at level info, all others at debug. Of the response only
 * the error is logged, which contains no secrets.
 */
public final class EndpointRunLogger {

    private static final Logger LOG = LoggerFactory.getLogger("escapement.runs");
    private static final int MAX_VALUE_LENGTH = 500;

    public void log(FinishedRun run) {
        boolean failed = !run.callResult().isSuccess();
        boolean changed = failed ? run.failuresBefore() == 0 : run.failuresBefore() > 0;
        if (!changed && !LOG.isDebugEnabled()) {
            // There may be thousands of runs a second, on the worker's thread.
            return;
        }
        LoggingEventBuilder line = (changed ? LOG.atInfo() : LOG.atDebug())
                .addKeyValue("endpoint", SafeText.sanitize(run.endpointName(), MAX_VALUE_LENGTH))
                .addKeyValue("run", run.id());
        if (failed) {
            line.addKeyValue(
                            "failure",
                            run.callResult().failure().map(Enum::name).orElse("-"))
                    .addKeyValue("failures", run.failuresAfter())
                    .log(
                            "Endpoint run failed: {}",
                            SafeText.sanitize(run.callResult().error(), MAX_VALUE_LENGTH));
        } else {
            line.log(
                    changed ? "Endpoint recovered after {} failures" : "Endpoint run succeeded after {} failures",
                    run.failuresBefore());
        }
    }
}
