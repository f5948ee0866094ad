package dev.escapement.cli.command.endpoint;

import dev.escapement.cli.command.YamlDocument;
import dev.escapement.endpoints.model.EndpointDocumentReader;
import dev.escapement.endpoints.model.EndpointValidator;
import dev.escapement.server.document.DocumentException;
import dev.escapement.server.document.DocumentParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The endpoints that files describe. Everything that can be found wrong without a server is found here, with its line.
 */
final class EndpointFileParser {

    /** Reading more of YAML at once could take minutes. */
    private static final int MAX_DOCUMENT_LENGTH = 4 << 20;

    private static final String ITEMS_FIELD = "items";

    private final List<EndpointFileEntry> entries = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final Map<String, EndpointFileEntry> entriesByName = new HashMap<>();

    /** In the order of the files. */
    List<EndpointFileEntry> entries() {
        return entries;
    }

    /** Each with file and line. */
    List<String> problems() {
        return problems;
    }

    void read(String file, String text) {
        int before = entries.size() + problems.size();
        for (YamlDocument part : YamlDocument.split(text)) {
            if (part.text().length() > MAX_DOCUMENT_LENGTH) {
                problems.add(
                        "%s:%d: the document has %d characters, the most is %d: make several of it, with --- between"
                                .formatted(file, part.line(), part.text().length(), MAX_DOCUMENT_LENGTH));
                continue;
            }
            try {
                LineIndex book = new LineIndex();
                Object document = DocumentParser.readObjectOrList(part.textWithLineOffset(), part.format(), book);
                add(file, part.firstContentLine(), document, book.lines());
            } catch (DocumentException malformed) {
                problems.add("%s:%d: %s".formatted(file, malformed.line().orElse(part.line()), malformed.getMessage()));
            }
        }
        if (entries.size() + problems.size() == before) {
            problems.add(file + ":1: there is no endpoint in it");
        }
    }

    private void add(String file, int line, Object document, Map<String, Integer> lines) {
        if (document instanceof Map<?, ?> map
                && map.get(ITEMS_FIELD) instanceof List<?> list
                && !map.containsKey("url")) {
            addAll(file, line, list, ITEMS_FIELD + ".", lines);
        } else if (document instanceof List<?> list) {
            addAll(file, line, list, "", lines);
        } else {
            addOne(file, line, document, "", lines);
        }
    }

    private void addAll(String file, int line, List<?> list, String place, Map<String, Integer> lines) {
        for (int i = 0; i < list.size(); i++) {
            addOne(file, lines.getOrDefault(place + i, line), list.get(i), place + i + ".", lines);
        }
    }

    private void addOne(String file, int line, Object item, String place, Map<String, Integer> lines) {
        if (!(item instanceof Map<?, ?> map)) {
            problems.add("%s:%d: it is not an object: an endpoint has fields, such as name, url and interval"
                    .formatted(file, line));
            return;
        }
        EndpointFileEntry entry = new EndpointFileEntry(file, place, line, withStringKeys(map), lines);
        validate(entry);
        Optional.ofNullable(entriesByName.putIfAbsent(entry.name(), entry))
                .filter(first -> !first.name().isBlank())
                .ifPresent(first ->
                        problems.add(entry.withLocation("name is there twice, first at %s:%d: remove one of them"
                                .formatted(first.file(), first.line()))));
        entries.add(entry);
    }

    /** What a server would say too; about URLs, headers and keys only a server can say it. */
    private void validate(EndpointFileEntry entry) {
        Map<String, Object> given = new LinkedHashMap<>(entry.document());
        given.computeIfPresent(
                "headers", (key, headers) -> headers instanceof Map<?, ?> map ? replaceHiddenValues(map) : headers);
        // Only a server knows whether there is one.
        given.remove("signingKey", EndpointDocumentReader.HIDDEN);
        try {
            EndpointDocumentReader.DesiredEndpoint wanted =
                    new EndpointDocumentReader(new PermissiveRules()).read(given, Optional.empty());
            assert wanted.definition().name().equals(entry.name());
        } catch (IllegalArgumentException refused) {
            String.valueOf(refused.getMessage())
                    .lines()
                    .map(entry::withLocation)
                    .forEach(problems::add);
        }
    }

    /** Only a server knows whether there is a value behind a hidden one. */
    private static Map<String, Object> replaceHiddenValues(Map<?, ?> headers) {
        Map<String, Object> shown = withStringKeys(headers);
        shown.replaceAll((name, value) -> value.equals(EndpointDocumentReader.HIDDEN) ? "hidden" : value);
        return shown;
    }

    private static Map<String, Object> withStringKeys(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), value));
        return copy;
    }

    /** Leaves to the server what depends on its settings. */
    private static final class PermissiveRules implements EndpointValidator {
        @Override
        public void checkUrl(String url) {
            // Which addresses may be called is the server's to say.
        }

        @Override
        public void checkHeader(String name, String value) {
            // The server says it.
        }

        @Override
        public void checkSigningKey(String key) {
            // The server says it.
        }
    }
}
