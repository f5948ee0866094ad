package dev.escapement.server;

import dev.escapement.backoff.DurationText;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.process.catalogue.CatalogueProblem;
import dev.escapement.process.catalogue.Workflow;
import dev.escapement.process.catalogue.WorkflowParameter;
import dev.escapement.process.catalogue.WorkflowTask;
import dev.escapement.server.http.Workflows;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The catalogue as documents. */
final class CatalogueDocuments implements Workflows {

    private final Catalogue catalogue;

    CatalogueDocuments(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    @Override
    public Map<String, Object> list() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put(
                "items",
                catalogue.workflows().stream().map(CatalogueDocuments::workflow).toList());
        document.put(
                "problems",
                catalogue.problems().stream().map(CatalogueDocuments::problem).toList());
        return document;
    }

    @Override
    public Optional<Map<String, Object>> get(String id) {
        return catalogue.find(id, "").map(CatalogueDocuments::workflow);
    }

    private static Map<String, Object> workflow(Workflow workflow) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", workflow.id());
        document.put("version", workflow.version());
        document.put("description", workflow.description());
        document.put(
                "parameters",
                workflow.parameters().stream()
                        .map(CatalogueDocuments::parameter)
                        .toList());
        document.put(
                "tasks", workflow.tasks().stream().map(CatalogueDocuments::task).toList());
        document.put("timeout", DurationText.format(workflow.timeout()));
        return document;
    }

    private static Map<String, Object> parameter(WorkflowParameter parameter) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", parameter.name());
        document.put("type", parameter.type().typeName());
        document.put("required", parameter.required());
        document.put("default", parameter.defaultValue());
        document.put("description", parameter.description());
        return document;
    }

    private static Map<String, Object> task(WorkflowTask task) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", task.name());
        document.put("command", task.command());
        return document;
    }

    private static Map<String, Object> problem(CatalogueProblem problem) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("file", problem.file());
        document.put("message", problem.text());
        return document;
    }
}
