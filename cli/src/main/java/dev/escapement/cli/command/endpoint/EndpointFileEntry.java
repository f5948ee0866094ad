package dev.escapement.cli.command.endpoint;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
