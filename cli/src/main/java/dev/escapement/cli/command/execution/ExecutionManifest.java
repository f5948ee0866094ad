package dev.escapement.cli.command.execution;

import dev.escapement.cli.command.YamlDocument;
import dev.escapement.engine.document.ExecutionDocument;
import dev.escapement.engine.execution.Execution;
import dev.escapement.governor.SafeText;
import dev.escapement.server.document.DocumentException;
import dev.escapement.server.document.DocumentParser;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The executions that files ask for. Everything that is wrong with them is found before anything is sent. */
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
     * @param location file and document, for people
     * @param document as it was written
     * @param request what it means
     */
    record Item(String location, Map<String, Object> document, Execution request) {}

    ExecutionManifest(String defaultNamespace) {
        this.defaultNamespace = defaultNamespace;
    }

    List<Item> items() {
        return items;
    }

    /** Each with file, document and line. */
    List<String> problems() {
        return problems;
    }

    void read(String source, String text) {
        int before = items.size() + problems.size();
        for (YamlDocument part : YamlDocument.split(text)) {
            String where = "%s, document %d (line %d)".formatted(source, part.number(), part.line());
            if (part.text().length() > MAX_DOCUMENT_LENGTH) {
                // No server takes it, and reading it could take minutes.
                problems.add("%s: it has %d characters, the most is %d"
                        .formatted(where, part.text().length(), MAX_DOCUMENT_LENGTH));
                continue;
            }
            try {
                add(where, DocumentParser.read(part.textWithLineOffset(), part.format()));
            } catch (DocumentException malformed) {
                problems.add("%s, document %d: %s".formatted(source, part.number(), malformed.getMessage()));
            }
        }
        if (items.size() + problems.size() == before) {
            problems.add(source + ": there is no document in it");
        }
    }

    private void add(String where, Map<String, Object> document) {
        if (document.get("kind") instanceof String kind
                && kind.endsWith("List")
                && document.get("items") instanceof List<?> list) {
            int number = 0;
            for (Object item : list) {
                number++;
                addOne(where + ", item " + number, item);
            }
        } else {
            addOne(where, document);
        }
    }

    private void addOne(String where, Object item) {
        if (!(item instanceof Map<?, ?> map)) {
            problems.add(where + ": it is not an object with keys and values");
            return;
        }
        Map<String, Object> document = withStringKeys(map);
        Object kind = document.getOrDefault("kind", "");
        if (!kind.equals(ExecutionDocument.KIND)) {
            problems.add("%s: kind is %s: only %s can be applied here"
                    .formatted(where, SafeText.quote(kind.toString(), MAX_SHOWN_KIND_LENGTH), ExecutionDocument.KIND));
            return;
        }
        parseRequest(where, document).ifPresent(asked -> {
            String name = asked.ref().namespace() + "/" + asked.ref().name();
            if (seenNames.add(name)) {
                items.add(new Item(where, document, asked));
            } else {
                problems.add(where + ": execution " + name + " is there twice");
            }
        });
    }

    private Optional<Execution> parseRequest(String where, Map<String, Object> document) {
        if (!(document.get("metadata") instanceof Map<?, ?> metadata) || metadata.get("name") == null) {
            problems.add(
                    where + ": metadata.name is missing: what is applied has a name, so that applying it twice asks"
                            + " once");
            return Optional.empty();
        }
        try {
            return Optional.of(ExecutionDocument.request(document, defaultNamespace, "0", Instant.EPOCH));
        } catch (IllegalArgumentException refused) {
            problems.add(where + ": " + refused.getMessage());
            return Optional.empty();
        }
    }

    private static Map<String, Object> withStringKeys(Map<?, ?> map) {
        Map<String, Object> copy = new java.util.LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), value));
        return copy;
    }
}
