package dev.escapement.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.escapement.engine.journal.Transition;
import dev.escapement.engine.journal.TransitionType;
import dev.escapement.governor.ledger.ExecutionRef;
import dev.escapement.server.config.LoggingConfiguration.JsonLogLayout;
import dev.escapement.server.events.TransitionLogger;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class JournalMetricsTest {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JournalMetrics metrics = new JournalMetrics(registry);

    private static Transition transition(TransitionType type, String reason, Map<String, String> details) {
        return new Transition(
                type,
                Instant.EPOCH,
                Optional.of(new ExecutionRef("default", "e", "uid")),
                "wf",
                "node/n\nFORGED LINE",
                reason,
                "message\r\nFORGED LINE",
                new TreeMap<>(details));
    }

    @Test
    void registersEveryOutcomeAtZeroAndCounts() {
        assertThat(registry.scrape())
                .contains("workflowexecution_total{outcome=\"Completed\"} 0.0")
                .contains("workflowexecution_skip_total{reason=\"ResourceBusy\"} 0.0");
        metrics.count(transition(TransitionType.WorkflowCompleted, "", Map.of("durationSeconds", "1.500")));
        metrics.count(transition(TransitionType.WorkflowFailed, "TaskFailed", Map.of("durationSeconds", "-1")));
        metrics.count(transition(TransitionType.WorkflowSkipped, "ResourceBusy", Map.of()));
        metrics.count(
                transition(TransitionType.WorkflowSkipped, "RecentlyRemediated", Map.of("recentOutcome", "Completed")));
        metrics.count(
                transition(TransitionType.WorkflowSkipped, "RecentlyRemediated", Map.of("recentOutcome", "Failed")));
        metrics.count(transition(TransitionType.WorkflowSkipped, "ExhaustedRetries", Map.of()));
        assertThat(registry.scrape())
                .contains("workflowexecution_total{outcome=\"Completed\"} 1.0")
                .contains("workflowexecution_total{outcome=\"Failed\"} 1.0")
                .contains("workflowexecution_total{outcome=\"Skipped\"} 4.0")
                .contains("workflowexecution_duration_seconds_sum{outcome=\"Completed\"} 1.5")
                .contains("workflowexecution_duration_seconds_bucket{outcome=\"Completed\",le=\"5.0\"} 1")
                .contains("workflowexecution_skip_total{reason=\"RecentlyRemediated\"} 2.0")
                .contains("workflowexecution_backoff_skip_total{reason=\"RecentlyRemediated\"} 1.0")
                .contains("workflowexecution_backoff_skip_total{reason=\"ExhaustedRetries\"} 1.0");
    }

    @Test
    void logsExecutionAndTargetOnOneLine() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Logger logger = context.getLogger("escapement.journal");
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        logger.addAppender(appender);
        try {
            TransitionLogger.log(transition(TransitionType.WorkflowFailed, "TaskFailed", Map.of()));
        } finally {
            logger.detachAppender(appender);
        }
        ILoggingEvent line = appender.list.get(0);
        assertThat(line.getFormattedMessage()).isEqualTo("WorkflowFailed: message FORGED LINE");
        assertThat(line.getKeyValuePairs())
                .extracting(pair -> pair.key + "=" + pair.value)
                .containsExactly(
                        "execution=default/e", "target=node/n FORGED LINE", "workflow=wf", "reason=TaskFailed");
        String json = new JsonLogLayout().doLayout(line);
        assertThat(json)
                .startsWith("{\"time\":\"")
                .contains("\"level\":\"WARN\",\"message\":\"WorkflowFailed: message FORGED LINE\"")
                .contains("\"execution\":\"default/e\",\"target\":\"node/n FORGED LINE\"")
                .endsWith("}\n");
        assertThat(json.strip()).doesNotContain("\n");
    }
}
