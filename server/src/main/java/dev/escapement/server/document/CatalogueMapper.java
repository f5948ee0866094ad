package dev.escapement.server.document;

import dev.escapement.api.workflow.CatalogueWorkflow;
import dev.escapement.api.workflow.WorkflowCatalogue;
import dev.escapement.backoff.DurationText;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.process.catalogue.Workflow;
import dev.escapement.process.catalogue.WorkflowParameter;
import java.util.Map;
import java.util.Optional;

/** Maps the workflow files to the document of {@code GET /api/v1/workflows}. */
public final class CatalogueMapper {

    private CatalogueMapper() {}

    /**
     * Maps the whole catalogue.
     *
     * @param note what the catalogue is good for, if it is not the list of all workflows
     */
    public static WorkflowCatalogue toDocument(Catalogue catalogue, Optional<String> note) {
        return new WorkflowCatalogue(
                catalogue.workflows().stream().map(CatalogueMapper::toDocument).toList(),
                catalogue.problems().stream()
                        .map(problem -> new WorkflowCatalogue.Problem(problem.file(), problem.text()))
                        .toList(),
                note.orElse(null));
    }

    private static CatalogueWorkflow toDocument(Workflow workflow) {
        return new CatalogueWorkflow(
                workflow.id(),
                workflow.version(),
                workflow.description(),
                workflow.parameters().stream().map(CatalogueMapper::toDocument).toList(),
                workflow.tasks().stream()
                        .map(task -> new CatalogueWorkflow.Task(task.name(), task.command(), Map.of()))
                        .toList(),
                DurationText.format(workflow.timeout()),
                Map.of());
    }

    private static CatalogueWorkflow.Parameter toDocument(WorkflowParameter parameter) {
        return new CatalogueWorkflow.Parameter(
                parameter.name(),
                parameter.type().typeName(),
                parameter.required(),
                parameter.defaultValue().orElse(null),
                parameter.description(),
                Map.of());
    }
}
