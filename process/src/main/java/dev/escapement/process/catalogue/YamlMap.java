package dev.escapement.process.catalogue;

import dev.escapement.backoff.DurationText;
import dev.escapement.common.SafeText;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads a mapping of a YAML document strictly: everything unexpected is a problem with line and path. Scalars are read
 * as text, so that {@code 1.10} stays {@code 1.10}.
 */
final class YamlMap {

    private static final int MAX_QUOTE_LENGTH = 60;

    private final Node node;
    private final String path;
    private final CatalogueProblem.Collector problems;
    private final Map<String, Node> values = new LinkedHashMap<>();

    YamlMap(Node node, String path, CatalogueProblem.Collector problems, List<String> known) {
        this.node = node;
        this.path = path;
        this.problems = problems;
        if (node instanceof MappingNode mapping) {
            mapping.getValue().forEach(entry -> add(entry, known));
        } else {
            problems.add(node, path, "must be a mapping with the keys " + String.join(", ", known));
        }
    }

    private void add(NodeTuple entry, List<String> known) {
        String key = entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "";
        if (!known.contains(key)) {
            problems.add(
                    entry.getKeyNode(),
                    path,
                    "unknown key %s: valid keys are %s"
                            .formatted(SafeText.quote(key, MAX_QUOTE_LENGTH), String.join(", ", known)));
        } else if (values.put(key, entry.getValueNode()) != null) {
            problems.add(entry.getKeyNode(), childPath(key), "is duplicated: remove one of the two");
        }
    }

    /** Returns the text of a key, if present; adds a problem if it is not a text. */
    Optional<String> text(String key) {
        return Optional.ofNullable(values.get(key)).flatMap(value -> scalar(value, childPath(key)));
    }

    /** Returns the text of a key; adds a problem if it is missing. */
    String requiredText(String key) {
        if (!values.containsKey(key) && node instanceof MappingNode) {
            problems.add(node, path, "%s is missing: add it".formatted(key));
        }
        return text(key).orElse("");
    }

    Optional<Boolean> booleanValue(String key) {
        return text(key).flatMap(text -> {
            if (text.equals("true") || text.equals("false")) {
                return Optional.of(text.equals("true"));
            }
            addProblem(key, "is %s: write true or false".formatted(SafeText.quote(text, MAX_QUOTE_LENGTH)));
            return Optional.empty();
        });
    }

    /** Returns a positive duration. */
    Optional<Duration> duration(String key) {
        return text(key).flatMap(text -> {
            try {
                Duration duration = DurationText.parse(text);
                if (!duration.isZero()) {
                    return Optional.of(duration);
                }
                addProblem(key, "is zero: it must be positive, or omitted");
            } catch (IllegalArgumentException invalid) {
                addProblem(key, SafeText.sanitize(String.valueOf(invalid.getMessage()), 2 * MAX_QUOTE_LENGTH));
            }
            return Optional.empty();
        });
    }

    /** Reads the elements of a list of mappings; none if the key is missing. */
    <T> List<T> maps(String key, List<String> known, Function<YamlMap, T> element) {
        return list(key, (value, where) -> element.apply(new YamlMap(value, where, problems, known)));
    }

    private <T> List<T> list(String key, BiFunction<Node, String, T> element) {
        Node value = values.get(key);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof SequenceNode sequence)) {
            problems.add(value, childPath(key), "must be a list");
            return List.of();
        }
        List<Node> nodes = sequence.getValue();
        return IntStream.range(0, nodes.size())
                .mapToObj(i -> element.apply(nodes.get(i), childPath(key) + "[" + i + "]"))
                .toList();
    }

    List<String> textList(String key) {
        return list(key, (value, where) -> scalar(value, where).orElse(""));
    }

    void addProblem(String key, String message) {
        problems.add(values.getOrDefault(key, node), childPath(key), message);
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    private String childPath(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    private Optional<String> scalar(Node value, String where) {
        if (!(value instanceof ScalarNode text) || value.getTag().equals(Tag.NULL)) {
            problems.add(value, where, "must be a text: it is empty, a list or a mapping");
            return Optional.empty();
        }
        if (text.getValue().indexOf('\0') >= 0) {
            problems.add(value, where, "has a NUL character: remove it");
            return Optional.empty();
        }
        return Optional.of(text.getValue());
    }
}
