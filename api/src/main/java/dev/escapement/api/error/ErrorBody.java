package dev.escapement.api.error;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.api.ExplicitRecord;
import dev.escapement.common.Copies;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of a response that is an error: {@code {"error": {…}}}. */
public record ErrorBody(Details error) {

    public ErrorBody {
        error = error == null ? new Details(0, null, null, List.of(), Map.of()) : error;
    }

    /**
     * Returns the body of an error.
     *
     * @param problems every problem of the document that was refused, each with path, value and rule
     */
    public static ErrorBody of(int status, String code, String message, List<String> problems) {
        return new ErrorBody(new Details(status, code, message, problems, Map.of()));
    }

    /**
     * What went wrong.
     *
     * @param code a code for programs, such as {@code BadRequest}
     * @param message names the object, the rule and the value, and what to do
     * @param problems every problem of a refused document; left out if there is none
     */
    public record Details(
            int status,
            @Nullable String code,
            @Nullable String message,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> problems,
            @JsonAnySetter Map<String, Object> other)
            implements ExplicitRecord {

        public Details {
            problems = Copies.list(problems);
        }
    }
}
