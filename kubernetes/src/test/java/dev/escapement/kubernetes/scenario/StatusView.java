package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The status of a resource, read by the field names of its YAML. */
record StatusView(Map<String, Object> fields) {

    static StatusView of(Map<String, Object> fields) {
        return new StatusView(Optional.ofNullable(fields).orElseGet(Map::of));
    }

    /** Returns the text at a path such as {@code failureDetails.reason}; empty if there is none. */
    String text(String path) {
        return find(path).map(Object::toString).orElse("");
    }

    boolean contains(String path) {
        return find(path).isPresent();
    }

    Instant time(String path) {
        return Instant.parse(text(path));
    }

    private Optional<Object> find(String path) {
        Object found = fields;
        for (String key : path.split("\\.", -1)) {
            found = found instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return Optional.ofNullable(found);
    }

    List<StatusView> items(String path) {
        return find(path).stream()
                .flatMap(list -> ((List<?>) list).stream())
                .map(StatusView::asMap)
                .map(StatusView::of)
                .toList();
    }

    @SuppressWarnings("unchecked") // YAML keys are strings.
    private static Map<String, Object> asMap(Object item) {
        return (Map<String, Object>) item;
    }

    /** Returns the status of a condition. */
    String condition(String type) {
        return items("conditions").stream()
                .filter(each -> each.text("type").equals(type))
                .map(each -> each.text("status"))
                .findFirst()
                .orElse("");
    }

    boolean isFinal() {
        return List.of("Completed", "Failed", "Skipped").contains(text("phase"));
    }

    StatusView assertCompleted() {
        assertThat(text("phase")).as("%s", fields).isEqualTo("Completed");
        assertThat(text("outcome")).isEqualTo("Success");
        assertThat(condition("Succeeded")).isEqualTo("True");
        assertThat(condition("Finished")).isEqualTo("True");
        assertThat(contains("failureDetails")).isFalse();
        return this;
    }

    /** Asserts that it failed for this reason and nothing ran. */
    StatusView assertFailedBeforeStart(String reason) {
        return assertFailed(reason, false);
    }

    /** Asserts that it failed for this reason and something may have run. */
    StatusView assertFailedDuringRun(String reason) {
        assertThat(contains("nextAllowedExecution")).as("%s", fields).isFalse();
        assertThat(contains("duration")).as("%s", fields).isTrue();
        return assertFailed(reason, true);
    }

    private StatusView assertFailed(String reason, boolean during) {
        assertThat(text("phase")).as("%s", fields).isEqualTo("Failed");
        assertThat(text("outcome")).isEqualTo("Failed");
        assertThat(text("failureDetails.reason")).as("%s", fields).isEqualTo(reason);
        assertThat(text("failureDetails.wasExecutionFailure")).as("%s", fields).isEqualTo("" + during);
        assertThat(text("failureDetails.requiresManualReview")).isEqualTo("" + during);
        assertThat(text("failureDetails.message")).isNotBlank();
        assertThat(text("failureDetails.naturalLanguageSummary")).isNotBlank();
        assertThat(condition("Succeeded")).isEqualTo("False");
        assertThat(condition("Finished")).isEqualTo("True");
        return this;
    }

    StatusView assertConsecutiveFailures(int failures) {
        assertThat(text("consecutiveFailures")).isEqualTo("" + failures);
        if (contains("nextAllowedExecution")) {
            assertThat(time("nextAllowedExecution")).isAfter(time("failureDetails.failedAt"));
        }
        return this;
    }

    StatusView assertSkipped(String reason) {
        assertThat(text("phase")).as("%s", fields).isEqualTo("Skipped");
        assertThat(text("outcome")).isEqualTo("Skipped");
        assertThat(text("skipDetails.reason")).as("%s", fields).isEqualTo(reason);
        assertThat(text("skipDetails.message")).isNotBlank();
        assertThat(condition("Succeeded")).isEqualTo("False");
        assertThat(condition("Finished")).isEqualTo("True");
        assertThat(contains("pipelineRunRef")).isFalse();
        return this;
    }
}
