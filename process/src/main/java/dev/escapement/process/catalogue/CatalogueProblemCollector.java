package dev.escapement.process.catalogue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.Node;

/** Collects all errors of one file. */
final class CatalogueProblemCollector {

    private final String file;
    private final List<CatalogueProblem> problems = new ArrayList<>();

    CatalogueProblemCollector(String file) {
        this.file = file;
    }

    void add(Node node, String path, String message) {
        add(Optional.ofNullable(node.getStartMark()), path, message);
    }

    void add(Optional<Mark> mark, String path, String message) {
        problems.add(new CatalogueProblem(file, mark.map(position -> position.getLine() + 1), path, message));
    }

    boolean isEmpty() {
        return problems.isEmpty();
    }

    List<CatalogueProblem> problems() {
        return List.copyOf(problems);
    }
}
