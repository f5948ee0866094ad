package dev.escapement.process.catalogue;

import dev.escapement.common.SafeText;
import java.io.StringReader;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/** Parses and validates one workflow file. */
record WorkflowReader(Path folder, CatalogueProblemCollector problems) {

    private static final List<String> WORKFLOW_KEYS =
            List.of("id", "version", "description", "timeout", "parameters", "tasks");
    private static final List<String> TASK_KEYS = List.of("name", "command", "timeout", "workingDirectory");
    private static final Pattern ID_PATTERN = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?");
    private static final Pattern VERSION_PATTERN = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._+-]{0,126}[A-Za-z0-9])?");
    private static final int MAX_MESSAGE_LENGTH = 200;
    private static final int MAX_NAME_LENGTH = 60;

    /** Reads a workflow. Adds all errors to {@code problems} and returns empty if there are any. */
    static Optional<Workflow> read(Path folder, String text, CatalogueProblemCollector problems) {
        WorkflowReader reader = new WorkflowReader(folder, problems);
        Optional<Workflow> workflow = reader.parseYaml(text).map(reader::readWorkflow);
        return problems.isEmpty() ? workflow : Optional.empty();
    }

    private Optional<Node> parseYaml(String text) {
        try {
            LoaderOptions options = new LoaderOptions();
            options.setCodePointLimit(text.length() + 1);
            Optional<Node> root = Optional.ofNullable(new Yaml(options).compose(new StringReader(text)));
            if (root.isEmpty()) {
                problems.add(Optional.empty(), "", "the file is empty: describe a workflow with id and tasks");
            }
            return root;
        } catch (MarkedYAMLException broken) {
            String problem = Optional.ofNullable(broken.getProblem()).orElse("it cannot be read");
            Optional<Mark> mark = Optional.ofNullable(broken.getProblemMark());
            problems.add(mark, "", "not a YAML document of one workflow: " + sanitize(problem));
        } catch (YAMLException broken) {
            problems.add(Optional.empty(), "", "not a YAML document: " + sanitize(String.valueOf(broken.getMessage())));
        }
        return Optional.empty();
    }

    private Workflow readWorkflow(Node root) {
        YamlMap map = new YamlMap(root, "", problems, WORKFLOW_KEYS);
        String id = map.requiredText("id");
        if (map.has("id") && !ID_PATTERN.matcher(id).matches()) {
            map.addProblem("id", "must be letters, digits, dots, dashes and underscores, at most 253");
        }
        Optional<String> version = map.text("version");
        if (version.filter(given -> !VERSION_PATTERN.matcher(given).matches()).isPresent()) {
            map.addProblem("version", "must be letters, digits, dots, dashes, underscores and plus signs, at most 128");
        }
        Set<String> parameterNames = new HashSet<>();
        List<WorkflowParameter> parameters =
                map.maps("parameters", ParameterReader.KEYS, each -> new ParameterReader(each).read(parameterNames));
        Set<String> taskNames = new HashSet<>();
        List<WorkflowTask> tasks = map.maps("tasks", TASK_KEYS, each -> readTask(each, taskNames));
        if (tasks.isEmpty()) {
            map.addProblem("tasks", "must have at least one task with a name and a command");
        }
        Duration timeout = map.duration("timeout").orElse(Workflow.DEFAULT_TIMEOUT);
        return new Workflow(id, version.orElse(""), map.text("description").orElse(""), parameters, tasks, timeout);
    }

    private WorkflowTask readTask(YamlMap map, Set<String> taken) {
        String name = map.requiredText("name");
        if (map.has("name") && !ID_PATTERN.matcher(name).matches()) {
            map.addProblem("name", "must be letters, digits, dots, dashes and underscores");
        } else if (!name.isEmpty() && !taken.add(name)) {
            map.addProblem("name", "%s is used by an earlier task: choose another".formatted(quote(name)));
        }
        return new WorkflowTask(name, readCommand(map), map.duration("timeout"), readWorkingDirectory(map));
    }

    private static List<String> readCommand(YamlMap map) {
        List<String> command = map.textList("command");
        if (command.isEmpty() || command.get(0).isEmpty()) {
            map.addProblem("command", "must be a list that starts with a program, such as [sh, scripts/drain.sh]");
            return List.of("?");
        }
        if (command.get(0).startsWith("-")) {
            String program = quote(command.get(0));
            map.addProblem("command", "starts with " + program + ": a program name cannot start with a dash");
        }
        return command;
    }

    private Path readWorkingDirectory(YamlMap map) {
        try {
            return folder.resolve(map.text("workingDirectory").orElse("")).normalize();
        } catch (InvalidPathException invalid) {
            map.addProblem("workingDirectory", "is not a valid path: " + sanitize(invalid.getReason()));
            return folder;
        }
    }

    private static String sanitize(String text) {
        return SafeText.sanitize(text, MAX_MESSAGE_LENGTH);
    }

    private static String quote(String name) {
        return SafeText.quote(name, MAX_NAME_LENGTH);
    }
}
