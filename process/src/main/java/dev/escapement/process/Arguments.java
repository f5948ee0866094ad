package dev.escapement.process;

import dev.escapement.engine.execution.ExecutionSpec;
import dev.escapement.governor.SafeText;
import dev.escapement.process.catalogue.Parameter;
import dev.escapement.process.catalogue.Workflow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an execution tells a workflow, checked.
 *
 * @param values by the name of the variable, defaults included; not to be used if there are problems
 * @param problems all of them
 */
record Arguments(SortedMap<String, String> values, List<String> problems) {

    /** Linux passes on no longer ones. */
    private static final int LONGEST_VARIABLE = (128 << 10) - 1;

    /** Systems pass on no more in all; macOS has the least. */
    private static final int LONGEST_ENVIRONMENT = 700 << 10;

    private static final int LONGEST_NAME = 60;
    private static final int LONGEST_LIST = 300;

    static Arguments of(ExecutionSpec spec, Workflow workflow) {
        SortedMap<String, String> values = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        Map<String, String> unknown = new TreeMap<>(spec.parameters());
        for (Parameter parameter : workflow.parameters()) {
            Optional<String> given = Optional.ofNullable(unknown.remove(parameter.name()));
            if (given.isEmpty() && parameter.required()) {
                problems.add("parameter %s is missing: it must be given, as %s"
                        .formatted(parameter.name(), parameter.type().meaning()));
            }
            given.flatMap(parameter::objection)
                    .ifPresent(objection -> problems.add("parameter " + parameter.name() + " " + objection));
            given.or(parameter::defaultValue).ifPresent(value -> values.put(parameter.name(), value));
        }
        unknown.keySet().forEach(name -> problems.add(unknown(name, workflow)));
        values.put("TARGET_RESOURCE", spec.targetResource());
        checkLengths(values, problems);
        return new Arguments(values, problems);
    }

    private static String unknown(String name, Workflow workflow) {
        List<String> known = workflow.parameters().stream().map(Parameter::name).toList();
        String list = known.isEmpty() ? "no parameters" : SafeText.sanitize(String.join(", ", known), LONGEST_LIST);
        return "parameter %s is unknown: workflow %s has %s"
                .formatted(SafeText.quote(name, LONGEST_NAME), workflow.label(), list);
    }

    private static void checkLengths(SortedMap<String, String> values, List<String> problems) {
        int total = 0;
        for (Map.Entry<String, String> variable : values.entrySet()) {
            int length = variable.getKey().length() + 1 + variable.getValue().getBytes(StandardCharsets.UTF_8).length;
            total += length;
            if (length > LONGEST_VARIABLE) {
                problems.add("parameter %s has %d bytes with its name: an environment variable has at most %d"
                        .formatted(variable.getKey(), length, LONGEST_VARIABLE));
            }
        }
        if (total > LONGEST_ENVIRONMENT) {
            problems.add("the parameters have %d bytes in all: an environment has at most %d"
                    .formatted(total, LONGEST_ENVIRONMENT));
        }
    }
}
