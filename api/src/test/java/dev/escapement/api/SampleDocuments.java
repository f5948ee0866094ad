package dev.escapement.api;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.escapement.api.audit.AuditDeadLetter;
import dev.escapement.api.audit.AuditEntry;
import dev.escapement.api.audit.AuditRecord;
import dev.escapement.api.audit.AuditVerification;
import dev.escapement.api.endpoint.Endpoint;
import dev.escapement.api.endpoint.EndpointRun;
import dev.escapement.api.error.ErrorBody;
import dev.escapement.api.event.ProgressEvent;
import dev.escapement.api.event.TransitionEvent;
import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.api.notification.NotificationRequest;
import dev.escapement.api.target.Explanation;
import dev.escapement.api.target.RemediationTarget;
import dev.escapement.api.workflow.CatalogueWorkflow;
import dev.escapement.common.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The documents of the first release, as its server, database and cluster write them. */
public final class SampleDocuments {

    /** The record of each kind that has a schema. */
    public static final Map<String, Class<? extends Record>> KINDS = Map.ofEntries(
            Map.entry("WorkflowExecution", WorkflowExecution.class),
            Map.entry("RemediationTarget", RemediationTarget.class),
            Map.entry("ObjectMetadata", ObjectMetadata.class),
            Map.entry("Endpoint", Endpoint.class),
            Map.entry("EndpointRun", EndpointRun.class),
            Map.entry("TransitionEvent", TransitionEvent.class),
            Map.entry("ProgressEvent", ProgressEvent.class),
            Map.entry("AuditRecord", AuditRecord.class),
            Map.entry("AuditEntry", AuditEntry.class),
            Map.entry("AuditVerification", AuditVerification.class),
            Map.entry("AuditDeadLetter", AuditDeadLetter.class),
            Map.entry("ErrorBody", ErrorBody.class),
            Map.entry("Explanation", Explanation.class),
            Map.entry("CatalogueWorkflow", CatalogueWorkflow.class),
            Map.entry("NotificationRequest", NotificationRequest.class));

    /** The names of all samples; the kind is what stands before the dash. */
    public static final List<String> NAMES = List.of(
            "WorkflowExecution-failed",
            "WorkflowExecution-skipped",
            "RemediationTarget",
            "Endpoint",
            "Endpoint-stored",
            "Endpoint-running",
            "EndpointRun",
            "TransitionEvent",
            "ProgressEvent",
            "AuditRecord",
            "AuditEntry",
            "AuditVerification",
            "AuditDeadLetter",
            "ErrorBody",
            "Explanation",
            "CatalogueWorkflow",
            "NotificationRequest");

    /** The root of the source tree. */
    public static final Path ROOT = Path.of("..");

    private static final YAMLMapper YAML = new YAMLMapper();

    private SampleDocuments() {}

    public static Map<String, Object> read(String name) {
        try (InputStream file = SampleDocuments.class.getResourceAsStream("samples/" + name + ".json")) {
            if (file == null) {
                throw new IllegalArgumentException("there is no sample " + name);
            }
            return Json.toMap(Json.read(new String(file.readAllBytes(), StandardCharsets.UTF_8), Map.class));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    public static Class<? extends Record> type(String name) {
        Class<? extends Record> type = KINDS.get(kind(name));
        if (type == null) {
            throw new IllegalArgumentException("there is no kind " + kind(name));
        }
        return type;
    }

    public static String kind(String name) {
        return name.replaceFirst("-.*", "");
    }

    public static Map<String, Object> parseYaml(String text) {
        try {
            return YAML.readValue(text, new TypeReference<>() {});
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    /** Returns all documents of a YAML file of the source tree. */
    public static List<Map<String, Object>> yamlFile(String path) {
        try {
            String text = Files.readString(ROOT.resolve(path));
            return YAML.readerFor(new TypeReference<Map<String, Object>>() {})
                    .<Map<String, Object>>readValues(text)
                    .readAll();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
