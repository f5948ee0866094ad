package dev.escapement.process.catalogue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.Node;

/** Collects what is wrong with one file, so that all of it is told at once. */
final class Problems {

    private final String file;
    private final List<Problem> found = new ArrayList<>();

    Problems(String file) {
        this.file = file;
    }

    void at(Node node, String path, String message) {
        at(Optional.ofNullable(node.getStartMark()), path, message);
    }

    void at(Optional<Mark> mark, String path, String message) {
        found.add(new Problem(file, mark.map(place -> place.getLine() + 1), path, message));
    }

    boolean none() {
        return found.isEmpty();
    }

    List<Problem> found() {
        return List.copyOf(found);
    }
}
