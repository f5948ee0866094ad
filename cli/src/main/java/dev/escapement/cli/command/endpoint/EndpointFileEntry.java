package dev.escapement.cli.command.endpoint;

import java.util.Map;

/**
 * An endpoint that a file describes.
 *
 * @param file as people know it
 * @param pathPrefix where in its document it stands, with a dot behind it; empty if it is the whole document
 * @param line where it begins, from 1
 * @param document as it was written
 * @param lines the line of every field of the file's document, by its path
 */
record EndpointFileEntry(
        String file, String pathPrefix, int line, Map<String, Object> document, Map<String, Integer> lines) {

    /** What it is called, or what stands in the place of its name. */
    String name() {
        return document.get("name") instanceof String name ? name : "";
    }

    /** A problem, that begins with the path of its field, with file and line in front. */
    String withLocation(String problem) {
        return "%s:%d: %s%s"
                .formatted(file, lineOf(problem), name().isBlank() ? "" : "endpoint " + name() + ": ", problem);
    }

    /** That of the field, or of what it should be in. */
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
