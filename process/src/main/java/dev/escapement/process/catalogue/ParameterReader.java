package dev.escapement.process.catalogue;

import dev.escapement.governor.SafeText;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.yaml.snakeyaml.nodes.Node;

/** Reads one parameter of a workflow. */
final class ParameterReader {

    private static final List<String> KEYS =
            List.of("name", "type", "required", "default", "description", "enum", "pattern");
    private static final int LONGEST_MESSAGE = 200;
    private static final int LONGEST_NAME = 60;

    private final YamlMap map;

    ParameterReader(Node node, String path, Problems problems) {
        this.map = new YamlMap(node, path, problems, KEYS);
    }

    Parameter read(Set<String> taken) {
        String name = map.neededText("name");
        if (map.has("name")) {
            ParameterNames.objection(name).ifPresent(objection -> map.problem("name", quoted(name) + " " + objection));
        }
        if (!name.isEmpty() && !taken.add(name)) {
            map.problem("name", quoted(name) + " is taken by an earlier parameter: choose another");
        }
        Optional<String> defaultValue = map.text("default");
        boolean required = map.flag("required").orElse(false);
        if (required && defaultValue.isPresent()) {
            map.problem("default", "is never used, because the parameter is required: leave out one of the two");
        }
        Parameter parameter = new Parameter(
                name, type(), required, defaultValue, map.text("description").orElse(""), map.texts("enum"), pattern());
        check(parameter);
        return parameter;
    }

    private ParameterType type() {
        Optional<String> written = map.text("type");
        Optional<ParameterType> type = written.flatMap(ParameterType::named);
        if (written.isPresent() && type.isEmpty()) {
            map.problem(
                    "type",
                    "is %s: write string, integer, number, boolean or duration".formatted(quoted(written.get())));
        }
        return type.orElse(ParameterType.STRING);
    }

    private Optional<Pattern> pattern() {
        return map.text("pattern").flatMap(regex -> {
            try {
                return Optional.of(Pattern.compile(regex));
            } catch (PatternSyntaxException notOne) {
                String why = SafeText.sanitize(notOne.getDescription(), LONGEST_MESSAGE);
                map.problem("pattern", "is no regular expression: " + why);
                return Optional.empty();
            }
        });
    }

    private void check(Parameter parameter) {
        Parameter byType = new Parameter(
                parameter.name(), parameter.type(), false, Optional.empty(), "", List.of(), parameter.pattern());
        parameter
                .allowed()
                .forEach(value -> byType.objection(value).ifPresent(objection -> map.problem("enum", objection)));
        parameter
                .defaultValue()
                .flatMap(parameter::objection)
                .ifPresent(objection -> map.problem("default", objection));
    }

    private static String quoted(String name) {
        return SafeText.quote(name, LONGEST_NAME);
    }
}
