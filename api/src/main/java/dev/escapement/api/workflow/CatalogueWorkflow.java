package dev.escapement.api.workflow;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.escapement.api.ExplicitRecord;
import dev.escapement.common.Copies;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A workflow of the catalogue as the server shows it.
 *
 * @param timeout a duration such as {@code 2m}
 */
public record CatalogueWorkflow(
        @Nullable String id,
        @Nullable String version,
        @Nullable String description,
        List<Parameter> parameters,
        List<Task> tasks,
        @Nullable String timeout,
        @JsonAnySetter Map<String, Object> other)
        implements ExplicitRecord {

    public CatalogueWorkflow {
        parameters = Copies.list(parameters);
        tasks = Copies.list(tasks);
    }

    /**
     * A parameter of a workflow.
     *
     * @param defaultValue absent if there is none
     */
    public record Parameter(
            @Nullable String name,
            @Nullable String type,
            @Nullable Boolean required,
            @JsonProperty("default") @Nullable String defaultValue,
            @Nullable String description,
            @JsonAnySetter Map<String, Object> other)
            implements ExplicitRecord {}

    /** A task of a workflow. */
    public record Task(
            @Nullable String name,
            List<String> command,
            @JsonAnySetter Map<String, Object> other) implements ExplicitRecord {

        public Task {
            command = Copies.list(command);
        }
    }
}
