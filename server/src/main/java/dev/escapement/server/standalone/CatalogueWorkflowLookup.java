package dev.escapement.server.standalone;

import dev.escapement.backoff.DurationText;
import dev.escapement.process.catalogue.Catalogue;
import dev.escapement.process.catalogue.CatalogueProblem;
import dev.escapement.process.catalogue.Workflow;
import dev.escapement.process.catalogue.WorkflowParameter;
import dev.escapement.process.catalogue.WorkflowTask;
import dev.escapement.server.http.WorkflowLookup;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Returns the workflows of the catalogue as JSON documents. */
final class CatalogueWorkflowLookup implements WorkflowLookup {

    private final Catalogue catalogue;

    CatalogueWorkflowLookup(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    @Override
    public Map<String, Object> list() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put(
                "items",
                catalogue.workflows().stream()
                        .map(CatalogueWorkflowLookup::workflowDocument)
                        .toList());
        document.put(
                "problems",
                catalogue.problems().stream()
                        .map(CatalogueWorkflowLookup::problemDocument)
                        .toList());
        return document;
    }

    @Override
    public Optional<Map<String, Object>> get(String id) {
        return catalogue.find(id, "").map(CatalogueWorkflowLookup::workflowDocument);
    }

    private static Map<String, Object> workflowDocument(Workflow workflow) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", workflow.id());
        document.put("version", workflow.version());
        document.put("description", workflow.description());
        document.put(
                "parameters",
                workflow.parameters().stream()
                        .map(CatalogueWorkflowLookup::parameterDocument)
                        .toList());
        document.put(
                "tasks",
                workflow.tasks().stream()
                        .map(CatalogueWorkflowLookup::taskDocument)
                        .toList());
        document.put("timeout", DurationText.format(workflow.timeout()));
        return document;
    }

    private static Map<String, Object> parameterDocument(WorkflowParameter parameter) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", parameter.name());
        document.put("type", parameter.type().typeName());
        document.put("required", parameter.required());
        document.put("default", parameter.defaultValue());
        document.put("description", parameter.description());
        return document;
    }

    private static Map<String, Object> taskDocument(WorkflowTask task) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", task.name());
        document.put("command", task.command());
        return document;
    }

    private static Map<String, Object> problemDocument(CatalogueProblem problem) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("file", problem.file());
        document.put("message", problem.text());
        return document;
    }
}
