package dev.escapement.cli.command.execution;

import dev.escapement.api.execution.WorkflowExecution;
import dev.escapement.cli.command.YamlDocument;
import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.Execution;
import dev.escapement.server.document.DocumentParser;
import dev.escapement.server.document.DocumentParser.DocumentException;
import dev.escapement.server.document.ExecutionRequestParser;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads executions from files and collects all problems before anything is sent. */
final class ExecutionManifest {

    private static final int MAX_SHOWN_KIND_LENGTH = 100;
    private static final int MAX_DOCUMENT_LENGTH = 1 << 20;

    private final String defaultNamespace;
    private final List<Item> items = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final Set<String> seenNames = new HashSet<>();

    /**
     * One execution.
     *
     * @param location file and document, for messages
     * @param document as written in the file
     * @param request the parsed document
     */
    record Item(String location, Map<String, Object> document, Execution request) {}

    ExecutionManifest(String defaultNamespace) {
        this.defaultNamespace = defaultNamespace;
    }

    List<Item> items() {
        return items;
    }

    /** Returns one line per problem, with file, document and line. */
    List<String> problems() {
        return problems;
    }

    void read(String source, String text) {
        int before = items.size() + problems.size();
        for (YamlDocument part : YamlDocument.split(text)) {
            String location = "%s, document %d (line %d)".formatted(source, part.number(), part.line());
            if (part.text().length() > MAX_DOCUMENT_LENGTH) {
                // The server would reject it, and parsing could take minutes.
                problems.add("%s: document has %d characters: the maximum is %d"
                        .formatted(location, part.text().length(), MAX_DOCUMENT_LENGTH));
                continue;
            }
            try {
                add(location, DocumentParser.read(part.textWithLineOffset(), part.format()));
            } catch (DocumentException malformed) {
                problems.add("%s, document %d: %s".formatted(source, part.number(), malformed.getMessage()));
            }
        }
        if (items.size() + problems.size() == before) {
            problems.add(source + ": contains no document");
        }
    }

    private void add(String location, Map<String, Object> document) {
        if (document.get("kind") instanceof String kind
                && kind.endsWith("List")
                && document.get("items") instanceof List<?> list) {
            int number = 0;
            for (Object item : list) {
                number++;
                addOne(location + ", item " + number, item);
            }
        } else {
            addOne(location, document);
        }
    }

    private void addOne(String location, Object item) {
        if (!(item instanceof Map<?, ?> map)) {
            problems.add(location + ": not an object with keys and values");
            return;
        }
        Map<String, Object> document = YamlDocument.withStringKeys(map);
        Object kind = document.getOrDefault("kind", "");
        if (!kind.equals(WorkflowExecution.KIND)) {
            problems.add("%s: kind is %s: only %s can be applied"
                    .formatted(
                            location, SafeText.quote(kind.toString(), MAX_SHOWN_KIND_LENGTH), WorkflowExecution.KIND));
            return;
        }
        parseRequest(location, document).ifPresent(request -> {
            String name = request.ref().namespace() + "/" + request.ref().name();
            if (seenNames.add(name)) {
                items.add(new Item(location, document, request));
            } else {
                problems.add(location + ": duplicate execution " + name);
            }
        });
    }

    private Optional<Execution> parseRequest(String location, Map<String, Object> document) {
        if (!(document.get("metadata") instanceof Map<?, ?> metadata) || metadata.get("name") == null) {
            problems.add(location + ": metadata.name is missing: apply needs a name, so that applying a file twice"
                    + " creates the execution once");
            return Optional.empty();
        }
        try {
            return Optional.of(ExecutionRequestParser.parse(document, defaultNamespace, "0", Instant.EPOCH));
        } catch (IllegalArgumentException invalid) {
            problems.add(location + ": " + invalid.getMessage());
            return Optional.empty();
        }
    }
}
