package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.ApiFailure;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.text.Printable;
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
@ExitsWith({ExitCodes.OK, ExitCodes.CONFLICT})
final class EndpointImportCommand extends ClientCommand {

    private static final int MOST_SHOWN = 100;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description = "YAML or JSON; - for standard input; all such files of a folder. May be given several times.")
    private List<String> files = new ArrayList<>();

    @Option(names = "--dry-run", description = "Only say whether it could be done; change nothing.")
    private boolean dryRun;

    @Mixin
    private final By by;

    @Mixin
    private final Output output = new Output();

    EndpointImportCommand(Surroundings surroundings) {
        super(surroundings);
        this.by = new By(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        EndpointFiles read = new EndpointFiles();
        files.stream()
                .flatMap(EndpointImportCommand::inside)
                .forEach(file -> read.read(InputFile.name(file), InputFile.read(file, surroundings)));
        if (!read.problems().isEmpty()) {
            return refuse(read.problems());
        }
        Resource imports = Resource.of("endpoints", "import");
        try {
            JsonNode answer =
                    api.post(dryRun ? imports.with("dry-run", "true") : imports, body(read.entries()), by.name());
            if (!output.print(answer, names(answer), terminal)) {
                say(answer, "created");
                say(answer, "changed");
                say(answer, "unchanged");
                terminal.err().println(summary(answer));
            }
            return ExitCodes.OK;
        } catch (ApiFailure failure) {
            if (!failure.is(ApiFailure.Kind.REFUSED)) {
                throw failure;
            }
            return refuse(ServerProblems.located(failure.problems(), read.entries()));
        }
    }

    private static ObjectNode body(List<EndpointEntry> entries) {
        ObjectNode body = Json.object();
        ArrayNode items = body.putArray("items");
        JsonMapper mapper = new JsonMapper();
        entries.forEach(entry -> items.add(mapper.<JsonNode>valueToTree(entry.document())));
        return body;
    }

    private int refuse(List<String> problems) {
        problems.stream().limit(MOST_SHOWN).forEach(problem -> terminal.err().println(Printable.line(problem)));
        if (problems.size() > MOST_SHOWN) {
            terminal.err().printf("… and %d more%n", problems.size() - MOST_SHOWN);
        }
        terminal.err()
                .printf(
                        "escapement endpoint import: %d problem%s; nothing was changed%n",
                        problems.size(), problems.size() == 1 ? "" : "s");
        return ExitCodes.USAGE;
    }

    private void say(JsonNode answer, String what) {
        answer.path(what)
                .forEach(name -> terminal.line(
                        Printable.line("endpoint %s %s%s".formatted(name.asText(), what, dryRun ? " (dry run)" : ""))));
    }

    private String summary(JsonNode answer) {
        return "%s%d created, %d changed, %d unchanged"
                .formatted(
                        dryRun ? "dry run, nothing was done: " : "",
                        answer.path("created").size(),
                        answer.path("changed").size(),
                        answer.path("unchanged").size());
    }

    private static String names(JsonNode answer) {
        List<String> names = new ArrayList<>();
        for (String what : List.of("created", "changed", "unchanged")) {
            answer.path(what).forEach(name -> names.add(name.asText()));
        }
        return String.join(" ", names);
    }

    /** A folder stands for the files in it, in the order of their names. */
    private static Stream<String> inside(String file) {
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
            throw new IllegalArgumentException("%s cannot be read: %s".formatted(file, Connection.why(unreadable)));
        }
    }
}
