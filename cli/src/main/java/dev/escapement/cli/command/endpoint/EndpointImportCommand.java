package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.ActionCommand;
import dev.escapement.cli.command.endpoint.EndpointFileParser.EndpointFileEntry;
import dev.escapement.cli.option.ConnectionOptions;
import dev.escapement.cli.option.InputFile;
import dev.escapement.common.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "import",
        description = {
            "Creates and updates endpoints from files: all of them, or none if any is invalid.",
            "",
            "A file holds one endpoint, several separated by lines of three dashes, or a list. An endpoint that",
            "exists is updated and keeps its history; a new one is created; one that no file names stays as it",
            "is. Every problem is reported with its file and line."
        },
        footer = {
            "  escapement endpoint import -f endpoints.yaml",
            "  escapement endpoint import -f examples/endpoints --dry-run",
            "  escapement endpoint get --all -o yaml > all.yaml && vi all.yaml && escapement endpoint import -f all.yaml",
            "",
            "A file:",
            "  name: health",
            "  url: https://api.example.com/health",
            "  interval: 1m"
        })
@ExitCodes.Documented(ExitCodes.CONFLICT)
final class EndpointImportCommand extends ActionCommand {

    private static final int MAX_SHOWN_PROBLEMS = 100;
    private static final List<String> RESULTS = List.of("created", "changed", "unchanged");

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description = "YAML or JSON file; a folder with such files; - for standard input. Repeatable.")
    private List<String> files = new ArrayList<>();

    @Option(names = "--dry-run", description = "Only check the files on the server; change nothing.")
    private boolean dryRun;

    @Override
    protected int execute(ApiClient api) {
        EndpointFileParser parser = new EndpointFileParser();
        files.stream()
                .flatMap(EndpointImportCommand::expandFolder)
                .forEach(file -> parser.read(InputFile.displayName(file), InputFile.read(file, context)));
        if (!parser.problems.isEmpty()) {
            return printProblems(parser.problems);
        }
        ApiPath path = ApiPath.of("endpoints", "import")
                .withParameter("dry-run", dryRun ? Optional.of("true") : Optional.empty());
        var items = parser.entries.stream().map(EndpointFileEntry::document).toList();
        JsonNode body = Json.mapper().valueToTree(Map.of("items", items));
        try {
            printResult(api.post(path, body, Optional.ofNullable(actorFields().get("by"))));
            return ExitCodes.OK;
        } catch (ApiException failure) {
            if (!failure.is(ApiException.Kind.INVALID_REQUEST)) {
                throw failure;
            }
            return printProblems(failure.problems().stream()
                    .map(problem -> EndpointFileEntry.locateServerProblem(problem, parser.entries))
                    .toList());
        }
    }

    private int printProblems(List<String> problems) {
        problems.stream().limit(MAX_SHOWN_PROBLEMS).forEach(terminal::printError);
        if (problems.size() > MAX_SHOWN_PROBLEMS) {
            terminal.printError("… and %d more".formatted(problems.size() - MAX_SHOWN_PROBLEMS));
        }
        terminal.printError("escapement endpoint import: %d problem%s; nothing was changed"
                .formatted(problems.size(), problems.size() == 1 ? "" : "s"));
        return ExitCodes.USAGE;
    }

    private void printResult(JsonNode response) {
        List<String> names = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        List<String> counts = new ArrayList<>();
        for (String result : RESULTS) {
            response.path(result).forEach(name -> {
                names.add(name.asText());
                lines.add("endpoint %s %s%s".formatted(name.asText(), result, dryRun ? " (dry run)" : ""));
            });
            counts.add(response.path(result).size() + " " + result);
        }
        print(response, String.join(" ", names), () -> {
            lines.forEach(terminal::printSafeLine);
            terminal.printError((dryRun ? "dry run, nothing was changed: " : "") + String.join(", ", counts));
        });
    }

    /** Replaces a folder by the files in it, sorted by name. */
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
