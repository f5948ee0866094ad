package dev.escapement.process.catalogue;

import dev.escapement.common.SafeText;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Reads one parameter of a workflow. */
record ParameterReader(YamlMap map) {

    static final List<String> KEYS = List.of("name", "type", "required", "default", "description", "enum", "pattern");
    private static final int MAX_MESSAGE_LENGTH = 200;
    private static final int MAX_NAME_LENGTH = 60;

    WorkflowParameter read(Set<String> taken) {
        String name = map.requiredText("name");
        if (map.has("name")) {
            ParameterNameRules.findProblem(name)
                    .ifPresent(problem -> map.addProblem("name", quote(name) + " " + problem));
        }
        if (!name.isEmpty() && !taken.add(name)) {
            map.addProblem("name", quote(name) + " is used by an earlier parameter: choose another");
        }
        Optional<String> defaultValue = map.text("default");
        boolean required = map.booleanValue("required").orElse(false);
        if (required && defaultValue.isPresent()) {
            map.addProblem("default", "is never used, because the parameter is required: remove one of the two");
        }
        WorkflowParameter parameter = new WorkflowParameter(
                name,
                readType(),
                required,
                defaultValue,
                map.text("description").orElse(""),
                map.textList("enum"),
                readPattern());
        check(parameter);
        return parameter;
    }

    private ParameterType readType() {
        Optional<String> written = map.text("type");
        Optional<ParameterType> type = written.flatMap(ParameterType::parse);
        if (written.isPresent() && type.isEmpty()) {
            String given = quote(written.get());
            map.addProblem("type", "is " + given + ": write string, integer, number, boolean or duration");
        }
        return type.orElse(ParameterType.STRING);
    }

    private Optional<Pattern> readPattern() {
        return map.text("pattern").flatMap(regex -> {
            try {
                return Optional.of(Pattern.compile(regex));
            } catch (PatternSyntaxException invalid) {
                String cause = SafeText.sanitize(invalid.getDescription(), MAX_MESSAGE_LENGTH);
                map.addProblem("pattern", "is not a regular expression: " + cause);
                return Optional.empty();
            }
        });
    }

    private void check(WorkflowParameter parameter) {
        for (String value : parameter.allowed()) {
            parameter.findProblem(value, List.of()).ifPresent(problem -> map.addProblem("enum", problem));
        }
        Optional<String> defaultProblem = parameter.defaultValue().flatMap(parameter::findProblem);
        defaultProblem.ifPresent(problem -> map.addProblem("default", problem));
    }

    private static String quote(String name) {
        return SafeText.quote(name, MAX_NAME_LENGTH);
    }
}
