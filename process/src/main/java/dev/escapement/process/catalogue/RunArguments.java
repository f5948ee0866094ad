package dev.escapement.process.catalogue;

import dev.escapement.common.SafeText;
import dev.escapement.engine.execution.ExecutionSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The validated parameters of an execution.
 *
 * @param values by variable name, including defaults; usable only if there are no problems
 * @param problems all validation errors
 */
public record RunArguments(SortedMap<String, String> values, List<String> problems) {

    /** Linux limit. */
    private static final int MAX_VARIABLE_LENGTH = (128 << 10) - 1;

    /** Limit of macOS, the lowest of the supported systems. */
    private static final int MAX_ENVIRONMENT_LENGTH = 700 << 10;

    private static final int MAX_NAME_LENGTH = 60;
    private static final int MAX_LIST_LENGTH = 300;

    /** Returns all problems in one line. */
    public String describeProblems() {
        return String.join("; ", problems);
    }

    /** Checks the parameters of a request against those that its workflow declares. */
    public static RunArguments validate(ExecutionSpec spec, Workflow workflow) {
        SortedMap<String, String> values = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        Map<String, String> unknown = new TreeMap<>(spec.parameters());
        for (WorkflowParameter parameter : workflow.parameters()) {
            Optional<String> given = Optional.ofNullable(unknown.remove(parameter.name()));
            if (given.isEmpty() && parameter.required()) {
                problems.add("parameter %s is missing: it is required, as %s"
                        .formatted(parameter.name(), parameter.type().description()));
            }
            given.flatMap(parameter::findProblem)
                    .ifPresent(problem -> problems.add("parameter " + parameter.name() + " " + problem));
            given.or(parameter::defaultValue).ifPresent(value -> values.put(parameter.name(), value));
        }
        unknown.keySet().forEach(name -> problems.add(unknownParameterMessage(name, workflow)));
        values.put("TARGET_RESOURCE", spec.targetResource());
        checkLengths(values, problems);
        return new RunArguments(values, problems);
    }

    private static String unknownParameterMessage(String name, Workflow workflow) {
        List<String> known =
                workflow.parameters().stream().map(WorkflowParameter::name).toList();
        String list = known.isEmpty() ? "no parameters" : SafeText.sanitize(String.join(", ", known), MAX_LIST_LENGTH);
        return "parameter %s is unknown: workflow %s has %s"
                .formatted(SafeText.quote(name, MAX_NAME_LENGTH), workflow.label(), list);
    }

    private static void checkLengths(SortedMap<String, String> values, List<String> problems) {
        int total = 0;
        for (Map.Entry<String, String> variable : values.entrySet()) {
            int length = variable.getKey().length() + 1 + variable.getValue().getBytes(StandardCharsets.UTF_8).length;
            total += length;
            if (length > MAX_VARIABLE_LENGTH) {
                problems.add("parameter %s has %d bytes including its name: the limit for an environment variable is %d"
                        .formatted(variable.getKey(), length, MAX_VARIABLE_LENGTH));
            }
        }
        if (total > MAX_ENVIRONMENT_LENGTH) {
            problems.add("the parameters have %d bytes in total: the limit for an environment is %d"
                    .formatted(total, MAX_ENVIRONMENT_LENGTH));
        }
    }
}
