package dev.escapement.api.workflow;

import dev.escapement.common.Copies;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All workflows of the catalogue.
 *
 * @param problems the files that are not in the catalogue, and why
 */
public record WorkflowCatalogue(List<CatalogueWorkflow> items, List<Problem> problems) {

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
