package dev.escapement.process.catalogue;

import dev.escapement.common.SafeText;
import dev.escapement.process.catalogue.Workflow.WorkflowTask;
import dev.escapement.process.catalogue.WorkflowParameter.ParameterType;
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
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/** Parses and validates one workflow file. */
record WorkflowReader(Path folder, Format format, CatalogueProblem.Collector problems) {

    /** What a file must describe. */
    enum Format {
        /** A workflow whose tasks run as local processes, with the parameters as environment variables. */
        RUNNABLE,
        /** The parameters of a workflow that runs elsewhere, under any names. */
        DECLARATION
    }

    private static final List<String> WORKFLOW_KEYS =
            List.of("id", "version", "description", "timeout", "parameters", "tasks");
    private static final List<String> TASK_KEYS = List.of("name", "command", "timeout", "workingDirectory");
    private static final List<String> PARAMETER_KEYS =
            List.of("name", "type", "required", "default", "description", "enum", "pattern");
    private static final Pattern ID_PATTERN = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?");
    private static final Pattern VERSION_PATTERN = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._+-]{0,126}[A-Za-z0-9])?");
    private static final Pattern VARIABLE_PATTERN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final List<String> RESERVED_PREFIXES = List.of("ESCAPEMENT_", "LD_", "DYLD_", "LC_", "BASH");
    private static final Set<String> RESERVED_NAMES = Set.of("""
        TARGET_RESOURCE PATH HOME LANG LANGUAGE TZ TMPDIR IFS ENV CDPATH PWD OLDPWD SHELL SHLVL
        SHELLOPTS USER LOGNAME HOSTNAME PPID UID EUID GID EGID GROUPS USERNAME RANDOM SRANDOM SECONDS
        LINENO OPTIND OPTARG OPTERR PIPESTATUS FUNCNAME DIRSTACK POSIXLY_CORRECT PS1 PS2 PS3 PS4 _\
        """.split("\\s+", -1));
    private static final int MAX_MESSAGE_LENGTH = 200;
    private static final int MAX_NAME_LENGTH = 60;

    /** Reads a workflow. Adds all errors to {@code problems} and returns empty if there are any. */
    static Optional<Workflow> read(Path folder, Format format, String text, CatalogueProblem.Collector problems) {
        WorkflowReader reader = new WorkflowReader(folder, format, problems);
        Optional<Workflow> workflow = reader.parseYaml(text).map(reader::readWorkflow);
        return problems.problems().isEmpty() ? workflow : Optional.empty();
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
            String message = "not a YAML document of one workflow: " + sanitize(problem);
            problems.add(Optional.ofNullable(broken.getProblemMark()), "", message);
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
        var parameters = map.maps("parameters", PARAMETER_KEYS, each -> readParameter(each, parameterNames));
        Set<String> taskNames = new HashSet<>();
        var tasks = map.maps("tasks", TASK_KEYS, each -> readTask(each, taskNames));
        if (tasks.isEmpty() && format == Format.RUNNABLE) {
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
            map.addProblem("name", quote(name) + " is used by an earlier task: choose another");
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

    private WorkflowParameter readParameter(YamlMap map, Set<String> taken) {
        String name = map.requiredText("name");
        if (map.has("name") && format == Format.RUNNABLE) {
            findNameProblem(name).ifPresent(problem -> map.addProblem("name", quote(name) + " " + problem));
        }
        if (!name.isEmpty() && !taken.add(name)) {
            map.addProblem("name", quote(name) + " is used by an earlier parameter: choose another");
        }
        Optional<String> defaultValue = map.text("default");
        boolean required = map.booleanValue("required").orElse(false);
        if (required && defaultValue.isPresent()) {
            map.addProblem("default", "is never used, because the parameter is required: remove one of the two");
        }
        ParameterType type = readType(map);
        String description = map.text("description").orElse("");
        WorkflowParameter parameter = new WorkflowParameter(
                name, type, required, defaultValue, description, map.textList("enum"), readPattern(map));
        for (String value : parameter.allowed()) {
            parameter.findProblem(value, List.of()).ifPresent(problem -> map.addProblem("enum", problem));
        }
        defaultValue.flatMap(parameter::findProblem).ifPresent(problem -> map.addProblem("default", problem));
        return parameter;
    }

    /** Returns the problem of a name that no variable can have, or that has a meaning for shells and loaders. */
    static Optional<String> findNameProblem(String name) {
        if (!VARIABLE_PATTERN.matcher(name).matches()) {
            return Optional.of("must be letters, digits and underscores, and not start with a digit:"
                    + " it becomes an environment variable");
        }
        boolean reserved =
                RESERVED_NAMES.contains(name) || RESERVED_PREFIXES.stream().anyMatch(name::startsWith);
        return reserved
                ? Optional.of("is reserved for the system, shells or Escapement: choose another name")
                : Optional.empty();
    }

    private static ParameterType readType(YamlMap map) {
        Optional<String> written = map.text("type");
        Optional<ParameterType> type = written.flatMap(ParameterType::parse);
        if (written.isPresent() && type.isEmpty()) {
            String given = quote(written.get());
            map.addProblem("type", "is " + given + ": write string, integer, number, boolean or duration");
        }
        return type.orElse(ParameterType.STRING);
    }

    private static Optional<ParameterPattern> readPattern(YamlMap map) {
        return map.text("pattern").flatMap(regex -> {
            try {
                return Optional.of(ParameterPattern.compile(regex));
            } catch (IllegalArgumentException invalid) {
                map.addProblem("pattern", sanitize(String.valueOf(invalid.getMessage())));
                return Optional.empty();
            }
        });
    }

    private static String sanitize(String text) {
        return SafeText.sanitize(text, MAX_MESSAGE_LENGTH);
    }

    private static String quote(String name) {
        return SafeText.quote(name, MAX_NAME_LENGTH);
    }
}
