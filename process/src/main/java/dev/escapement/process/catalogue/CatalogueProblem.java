package dev.escapement.process.catalogue;

import dev.escapement.common.SafeText;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.Node;

/**
 * An error in a workflow file.
 *
 * @param file name of the file
 * @param line from 1; empty if the error concerns the whole file
 * @param path in the document, such as {@code tasks[1].command}; empty if the error concerns the whole document
 * @param message the error and what to do
 */
public record CatalogueProblem(String file, Optional<Integer> line, String path, String message) {

    private static final int MAX_MESSAGE_LENGTH = 300;

    /** Collects all errors of one file. */
    record Collector(String file, List<CatalogueProblem> problems) {

        void add(Node node, String path, String message) {
            add(Optional.ofNullable(node.getStartMark()), path, message);
        }

        void add(Optional<Mark> mark, String path, String message) {
            problems.add(new CatalogueProblem(file, mark.map(position -> position.getLine() + 1), path, message));
        }
    }

    /** Creates a problem of a whole file or folder. */
    static CatalogueProblem of(String file, String message) {
        return new CatalogueProblem(file, Optional.empty(), "", SafeText.sanitize(message, MAX_MESSAGE_LENGTH));
    }

    /** Returns line, path and message in one line, without the file name. */
    public String text() {
        String location = line.map(number -> "line " + number + (path.isEmpty() ? ": " : ", "))
                .orElse("");
        return location + (path.isEmpty() ? "" : path + ": ") + message;
    }

    @Override
    public String toString() {
        return file + ": " + text();
    }
}
