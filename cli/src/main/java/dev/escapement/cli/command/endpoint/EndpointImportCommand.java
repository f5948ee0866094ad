package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.ActorOption;
import dev.escapement.cli.option.ConnectionOptions;
import dev.escapement.cli.option.InputFile;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.terminal.TerminalText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes endpoints be what files say. */
@Command(
        name = "import",
        sortOptions = false,
        description = {
            "Makes endpoints be what files say: all of them, or none if anything is wrong with any.",
            "",
            "A file holds one endpoint, several with lines of three dashes between, or a list. Those that are",
            "there already become what the file says, and keep their history; the others are made. Endpoints",
            "that no file names stay as they are. Every problem is told with its file and line.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement endpoint import -f endpoints.yaml",
            "  escapement endpoint import -f examples/endpoints --dry-run",
            "  escapement endpoint get --all -o yaml > all.yaml && vi all.yaml && escapement endpoint import -f all.yaml",
            "",
            "A file:",
            "  name: health",
            "  url: https://api.example.com/health",
            "  interval: 1m"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.CONFLICT})
final class EndpointImportCommand extends ClientCommand {

    private static final int MAX_SHOWN_PROBLEMS = 100;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description = "YAML or JSON; - for standard input; all such files of a folder. May be given several times.")
    private List<String> files = new ArrayList<>();

    @Option(names = "--dry-run", description = "Only say whether it could be done; change nothing.")
    private boolean dryRun;

    @Mixin
    private final ActorOption actor;

    @Mixin
    private final OutputOption output = new OutputOption();

    EndpointImportCommand(CommandContext surroundings) {
        super(surroundings);
        this.actor = new ActorOption(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        EndpointFileParser read = new EndpointFileParser();
        files.stream()
                .flatMap(EndpointImportCommand::expandFolder)
                .forEach(file -> read.read(InputFile.displayName(file), InputFile.read(file, context)));
        if (!read.problems().isEmpty()) {
            return reportProblems(read.problems());
        }
        ApiPath imports = ApiPath.of("endpoints", "import");
        try {
            JsonNode answer = api.post(
                    dryRun ? imports.withParameter("dry-run", "true") : imports,
                    requestBody(read.entries()),
                    actor.name());
            if (!output.printIfMachineReadable(answer, joinNames(answer), terminal)) {
                printNames(answer, "created");
                printNames(answer, "changed");
                printNames(answer, "unchanged");
                terminal.err().println(summary(answer));
            }
            return ExitCodes.OK;
        } catch (ApiException failure) {
            if (!failure.is(ApiException.Kind.INVALID_REQUEST)) {
                throw failure;
            }
            return reportProblems(ServerProblemLocator.withLocation(failure.problems(), read.entries()));
        }
    }

    private static ObjectNode requestBody(List<EndpointFileEntry> entries) {
        ObjectNode body = ClientJson.createObject();
        ArrayNode items = body.putArray("items");
        JsonMapper mapper = new JsonMapper();
        entries.forEach(entry -> items.add(mapper.<JsonNode>valueToTree(entry.document())));
        return body;
    }

    private int reportProblems(List<String> problems) {
        problems.stream()
                .limit(MAX_SHOWN_PROBLEMS)
                .forEach(problem -> terminal.err().println(TerminalText.singleLine(problem)));
        if (problems.size() > MAX_SHOWN_PROBLEMS) {
            terminal.err().printf("… and %d more%n", problems.size() - MAX_SHOWN_PROBLEMS);
        }
        terminal.err()
                .printf(
                        "escapement endpoint import: %d problem%s; nothing was changed%n",
                        problems.size(), problems.size() == 1 ? "" : "s");
        return ExitCodes.USAGE;
    }

    private void printNames(JsonNode answer, String what) {
        answer.path(what)
                .forEach(name -> terminal.printLine(TerminalText.singleLine(
                        "endpoint %s %s%s".formatted(name.asText(), what, dryRun ? " (dry run)" : ""))));
    }

    private String summary(JsonNode answer) {
        return "%s%d created, %d changed, %d unchanged"
                .formatted(
                        dryRun ? "dry run, nothing was done: " : "",
                        answer.path("created").size(),
                        answer.path("changed").size(),
                        answer.path("unchanged").size());
    }

    private static String joinNames(JsonNode answer) {
        List<String> names = new ArrayList<>();
        for (String what : List.of("created", "changed", "unchanged")) {
            answer.path(what).forEach(name -> names.add(name.asText()));
        }
        return String.join(" ", names);
    }

    /** A folder stands for the files in it, in the order of their names. */
    private static Stream<String> expandFolder(String file) {
        if (!Files.isDirectory(Path.of(file))) {
            return Stream.of(file);
        }
        try (Stream<Path> found = Files.list(Path.of(file))) {
            List<String> inside = found.filter(
                            each -> each.getFileName().toString().matches(".+\\.(ya?ml|json)"))
                    .filter(Files::isRegularFile)
                    .map(Path::toString)
                    .sorted()
                    .toList();
            if (inside.isEmpty()) {
                throw new IllegalArgumentException(file + " has no files that end in .yaml, .yml or .json");
            }
            return inside.stream();
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "%s cannot be read: %s".formatted(file, ConnectionOptions.describeFailure(unreadable)));
        }
    }
}
