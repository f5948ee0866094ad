package dev.escapement.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.escapement.common.Copies;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One part of a list. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DocumentList<T>(List<T> items, Metadata metadata) {

    public DocumentList {
        items = Copies.list(items);
        metadata = metadata == null ? new Metadata(null) : metadata;
    }

    /**
     * Where the next part of a list begins.
     *
     * @param next the value of the parameter {@code continue} for the next part; absent in the last part
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Metadata(
            @JsonProperty("continue") @Nullable String next) {}
}
