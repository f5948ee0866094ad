package dev.escapement.api.workflow;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.common.Copies;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All workflows of the catalogue.
 *
 * @param problems the files that are not in the catalogue, and why
 * @param note why there is no catalogue; absent if there is one
 */
public record WorkflowCatalogue(
        List<CatalogueWorkflow> items,
        List<Problem> problems,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String note) {

    public WorkflowCatalogue {
        items = Copies.list(items);
        problems = Copies.list(problems);
    }

    /**
     * A file that is not in the catalogue.
     *
     * @param message why, with line and path
     */
    public record Problem(@Nullable String file, @Nullable String message) {}
}
