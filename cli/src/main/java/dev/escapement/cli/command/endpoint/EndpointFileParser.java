package dev.escapement.cli.command.endpoint;

import dev.escapement.cli.command.YamlDocument;
import dev.escapement.endpoints.model.EndpointDefinition.DesiredEndpoint;
import dev.escapement.server.document.DocumentParser;
import dev.escapement.server.document.DocumentParser.DocumentException;
import dev.escapement.server.document.EndpointRequestParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads endpoints from files and collects all problems that can be found without a server, with their lines. */
final class EndpointFileParser {

    /** Parsing a longer YAML document could take minutes. */
    private static final int MAX_DOCUMENT_LENGTH = 4 << 20;

    private static final String ITEMS_FIELD = "items";

    /** The endpoints in the order of the files. */
    final List<EndpointFileEntry> entries = new ArrayList<>();

    /** One line per problem, with file and line. */
    final List<String> problems = new ArrayList<>();

    private final Map<String, EndpointFileEntry> entriesByName = new HashMap<>();

    void read(String file, String text) {
        int before = entries.size() + problems.size();
        for (YamlDocument part : YamlDocument.split(text)) {
            if (part.text().length() > MAX_DOCUMENT_LENGTH) {
                problems.add("%s:%d: document has %d characters: the maximum is %d; split it with lines of ---"
                        .formatted(file, part.line(), part.text().length(), MAX_DOCUMENT_LENGTH));
                continue;
            }
            try {
                Map<String, Integer> lines = new HashMap<>();
                Object document =
                        DocumentParser.readObjectOrList(part.textWithLineOffset(), part.format(), lines::putIfAbsent);
                add(file, part.firstContentLine(), document, lines);
            } catch (DocumentException malformed) {
                problems.add("%s:%d: %s".formatted(file, malformed.line().orElse(part.line()), malformed.getMessage()));
            }
        }
        if (entries.size() + problems.size() == before) {
            problems.add(file + ":1: contains no endpoint");
        }
    }

    private void add(String file, int line, Object document, Map<String, Integer> lines) {
        boolean wrapped =
                document instanceof Map<?, ?> map && map.get(ITEMS_FIELD) instanceof List<?> && !map.containsKey("url");
        String prefix = wrapped ? ITEMS_FIELD + "." : "";
        Object items = wrapped ? ((Map<?, ?>) document).get(ITEMS_FIELD) : document;
        if (items instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                addOne(file, lines.getOrDefault(prefix + i, line), list.get(i), prefix + i + ".", lines);
            }
        } else {
            addOne(file, line, document, "", lines);
        }
    }

    private void addOne(String file, int line, Object item, String pathPrefix, Map<String, Integer> lines) {
        if (!(item instanceof Map<?, ?> map)) {
            problems.add("%s:%d: not an object: an endpoint has fields such as name, url and interval"
                    .formatted(file, line));
            return;
        }
        EndpointFileEntry entry =
                new EndpointFileEntry(file, pathPrefix, line, YamlDocument.withStringKeys(map), lines);
        validate(entry);
        Optional.ofNullable(entriesByName.putIfAbsent(entry.name(), entry))
                .filter(first -> !first.name().isBlank())
                .ifPresent(first -> problems.add(entry.withLocation(
                        "name is a duplicate of %s:%d: remove one of them".formatted(first.file(), first.line()))));
        entries.add(entry);
    }

    /** Applies the rules of the server, except those for URLs, headers and keys, which depend on its settings. */
    private void validate(EndpointFileEntry entry) {
        try {
            DesiredEndpoint parsed = EndpointRequestParser.parse(entry.document(), Optional.empty(), Optional.empty());
            assert parsed.definition().name().equals(entry.name());
        } catch (IllegalArgumentException invalid) {
            String.valueOf(invalid.getMessage())
                    .lines()
                    .map(entry::withLocation)
                    .forEach(problems::add);
        }
    }

    /**
     * An endpoint in a file.
     *
     * @param file name for messages
     * @param pathPrefix path of the endpoint in its document, with a dot at the end; empty for the whole document
     * @param line first line, from 1
     * @param document as written
     * @param lines line of every field of the document, by its path
     */
    record EndpointFileEntry(
            String file, String pathPrefix, int line, Map<String, Object> document, Map<String, Integer> lines) {

        /** {@code items[3] (health): timeout is …}: a problem that a server reports for one of several endpoints. */
        private static final Pattern ITEM_PROBLEM = Pattern.compile("items\\[(\\d{1,9})](?: \\([^)]*\\))?:? (.*)");

        /** Returns the name, empty if it is missing or not text. */
        String name() {
            return document.get("name") instanceof String name ? name : "";
        }

        /** Prefixes a problem, which starts with the path of its field, with file, line and endpoint. */
        String withLocation(String problem) {
            return "%s:%d: %s%s"
                    .formatted(file, lineOf(problem), name().isBlank() ? "" : "endpoint " + name() + ": ", problem);
        }

        /** Prefixes a problem reported by the server with file and line if it names one of the entries. */
        static String locateServerProblem(String problem, List<EndpointFileEntry> entries) {
            Matcher item = ITEM_PROBLEM.matcher(problem);
            return item.matches() && Integer.parseInt(item.group(1)) < entries.size()
                    ? entries.get(Integer.parseInt(item.group(1))).withLocation(item.group(2))
                    : problem;
        }

        /** Returns the line of the field, or of the closest parent that exists. */
        private int lineOf(String problem) {
            String path = problem.split("[ :]", 2)[0];
            while (!path.isEmpty()) {
                Integer found = lines.get(pathPrefix + path);
                if (found != null) {
                    return found;
                }
                path = path.substring(0, Math.max(0, path.lastIndexOf('.')));
            }
            return line;
        }
    }
}
