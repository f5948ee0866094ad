package dev.escapement.api.workflow;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.escapement.common.Copies;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A workflow of the catalogue as the server shows it.
 *
 * @param timeout a duration such as {@code 2m}
 * @param other the fields that this version does not know, as they were read
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CatalogueWorkflow(
        @Nullable String id,
        @Nullable String version,
        @Nullable String description,
        List<Parameter> parameters,
        List<Task> tasks,
        @Nullable String timeout,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

    public CatalogueWorkflow {
        parameters = Copies.list(parameters);
        tasks = Copies.list(tasks);
        other = Copies.map(other);
    }

    /**
     * A parameter of a workflow.
     *
     * @param defaultValue absent if there is none
     * @param other the fields that this version does not know, as they were read
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Parameter(
            @Nullable String name,
            @Nullable String type,
            @Nullable Boolean required,
            @JsonProperty("default") @Nullable String defaultValue,
            @Nullable String description,
            @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

        public Parameter {
            other = Copies.map(other);
        }
    }

    /**
     * A task of a workflow.
     *
     * @param other the fields that this version does not know, as they were read
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Task(
            @Nullable String name,
            List<String> command,
            @JsonAnySetter @JsonAnyGetter Map<String, Object> other) {

        public Task {
            command = Copies.list(command);
            other = Copies.map(other);
        }
    }
}
