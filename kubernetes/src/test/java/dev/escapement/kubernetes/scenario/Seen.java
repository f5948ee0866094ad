package dev.escapement.kubernetes.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a resource says, by the words of its YAML. */
record Seen(Map<String, Object> fields) {

    static Seen of(Map<String, Object> fields) {
        return new Seen(Optional.ofNullable(fields).orElseGet(Map::of));
    }

    /** The text under a path such as {@code failureDetails.reason}; empty if there is none. */
    String at(String path) {
        return value(path).map(Object::toString).orElse("");
    }

    boolean has(String path) {
        return value(path).isPresent();
    }

    Instant time(String path) {
        return Instant.parse(at(path));
    }

    private Optional<Object> value(String path) {
        Object found = fields;
        for (String key : path.split("\\.", -1)) {
            found = found instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return Optional.ofNullable(found);
    }

    /** The items of a list. */
    List<Seen> all(String path) {
        return value(path).stream()
                .flatMap(list -> ((List<?>) list).stream())
                .map(Seen::asMap)
                .map(Seen::of)
                .toList();
    }

    @SuppressWarnings("unchecked") // Keys of YAML are texts.
    private static Map<String, Object> asMap(Object item) {
        return (Map<String, Object>) item;
    }

    /** The status of a condition. */
    String condition(String type) {
        return all("conditions").stream()
                .filter(each -> each.at("type").equals(type))
                .map(each -> each.at("status"))
                .findFirst()
                .orElse("");
    }

    boolean isFinal() {
        return List.of("Completed", "Failed", "Skipped").contains(at("phase"));
    }

    Seen completed() {
        assertThat(at("phase")).as("%s", fields).isEqualTo("Completed");
        assertThat(at("outcome")).isEqualTo("Success");
        assertThat(condition("Succeeded")).isEqualTo("True");
        assertThat(condition("Finished")).isEqualTo("True");
        assertThat(has("failureDetails")).isFalse();
        return this;
    }

    /** It failed for this reason; nothing of it ran. */
    Seen failedBefore(String reason) {
        return failed(reason, false);
    }

    /** It failed for this reason, and something of it may have run. */
    Seen failedDuring(String reason) {
        assertThat(has("nextAllowedExecution")).as("%s", fields).isFalse();
        return failed(reason, true);
    }

    private Seen failed(String reason, boolean during) {
        assertThat(at("phase")).as("%s", fields).isEqualTo("Failed");
        assertThat(at("outcome")).isEqualTo("Failed");
        assertThat(at("failureDetails.reason")).as("%s", fields).isEqualTo(reason);
        assertThat(at("failureDetails.wasExecutionFailure")).as("%s", fields).isEqualTo("" + during);
        assertThat(at("failureDetails.requiresManualReview")).isEqualTo("" + during);
        assertThat(at("failureDetails.message")).isNotBlank();
        assertThat(at("failureDetails.naturalLanguageSummary")).isNotBlank();
        assertThat(condition("Succeeded")).isEqualTo("False");
        assertThat(condition("Finished")).isEqualTo("True");
        return this;
    }

    /** It counts as failure number so-and-so in a row. */
    Seen counts(int failures) {
        assertThat(at("consecutiveFailures")).isEqualTo("" + failures);
        assertThat(time("nextAllowedExecution")).isAfter(time("failureDetails.failedAt"));
        return this;
    }

    Seen skipped(String reason) {
        assertThat(at("phase")).as("%s", fields).isEqualTo("Skipped");
        assertThat(at("outcome")).isEqualTo("Skipped");
        assertThat(at("skipDetails.reason")).as("%s", fields).isEqualTo(reason);
        assertThat(at("skipDetails.message")).isNotBlank();
        assertThat(condition("Succeeded")).isEqualTo("False");
        assertThat(condition("Finished")).isEqualTo("True");
        assertThat(has("pipelineRunRef")).isFalse();
        return this;
    }
}
