package dev.escapement.server.events;

import dev.escapement.common.SafeText;
import dev.escapement.engine.journal.Transition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Logs every transition with its execution and its target. */
public final class TransitionLogger {

    private static final Logger LOG = LoggerFactory.getLogger("escapement.journal");
    private static final int MAX_VALUE_LENGTH = 500;

    private TransitionLogger() {}

    /** Logs one line. Line breaks in values are replaced, so that a value cannot forge another line. */
    public static void log(Transition transition) {
        LoggingEventBuilder line = switch (transition.type()) {
            case WorkflowFailed -> LOG.atWarn();
            case WorkflowAccepted, LockReleased -> LOG.atDebug();
            default -> LOG.atInfo();
        };
        line = line.addKeyValue(
                        "execution",
                        transition.execution().map(Object::toString).orElse("-"))
                .addKeyValue("target", SafeText.sanitize(transition.target(), MAX_VALUE_LENGTH));
        if (!transition.workflow().isEmpty()) {
            line = line.addKeyValue("workflow", SafeText.sanitize(transition.workflow(), MAX_VALUE_LENGTH));
        }
        if (!transition.reason().isEmpty()) {
            line = line.addKeyValue("reason", transition.reason());
        }
        line.log("{}: {}", transition.type(), SafeText.sanitize(transition.message(), MAX_VALUE_LENGTH));
    }
}
