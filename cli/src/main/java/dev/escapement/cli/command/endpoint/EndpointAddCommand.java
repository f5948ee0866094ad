package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.DocumentedExitCodes;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.ActorOption;
import dev.escapement.cli.option.EndpointOptions;
import dev.escapement.cli.option.InputFile;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.EndpointJsonView;
import dev.escapement.cli.output.NextRunText;
import dev.escapement.cli.output.terminal.TerminalText;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes an endpoint. */
@Command(
        name = "add",
        sortOptions = false,
        description = {
            "Makes an endpoint: a URL that is called on an interval or a cron.",
            "",
            "It is called from the next beat on. While it fails, the waits double, up to 32 times the interval;",
            "a success brings the beat back. Addresses inside (loopback, private, link-local) are refused unless",
            "the server's setting endpoints.allow names them.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement endpoint add health https://api.example.com/health --every 1m",
            "  escapement endpoint add report https://api.example.com/report --method POST --body @report.json \\",
            "      --header 'Content-Type: application/json' --cron '0 3 * * mon-fri' --time-zone Europe/Berlin",
            "  escapement endpoint add gateway https://gw.example.com/live --every 30s --remediate-after 3 \\",
            "      --remediate-workflow restart-service --remediate-target payment/deployment/gateway",
            "  escapement endpoint add -f health.yaml"
        })
@DocumentedExitCodes({ExitCodes.OK, ExitCodes.CONFLICT})
final class EndpointAddCommand extends ClientCommand {

    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "What to call it.")
    private Optional<String> name = Optional.empty();

    @Parameters(index = "1", arity = "0..1", paramLabel = "URL", description = "Whom to call: http or https.")
    private Optional<String> url = Optional.empty();

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "YAML or JSON that says it all; - for standard input. Several at once: endpoint import")
    private Optional<String> file = Optional.empty();

    @Mixin
    private final EndpointOptions options;

    @Mixin
    private final ActorOption actor;

    @Mixin
    private final OutputOption output = new OutputOption();

    EndpointAddCommand(CommandContext surroundings) {
        super(surroundings);
        this.options = new EndpointOptions(surroundings);
        this.actor = new ActorOption(surroundings);
    }

    @Override
    protected int execute(ApiClient api) {
        return file.isPresent() ? addFromFile(api, file.get()) : addFromOptions(api);
    }

    private int addFromOptions(ApiClient api) {
        if (name.isEmpty() || url.isEmpty()) {
            throw new IllegalArgumentException("NAME and URL are missing: say what to call it and whom to call, or -f");
        }
        try {
            return add(api, options.toDocument(name.get(), url.get()));
        } catch (ApiException failure) {
            return reportProblems(failure, failure.problems());
        }
    }

    private int addFromFile(ApiClient api, String given) {
        if (name.isPresent() || options.isAnyGiven()) {
            throw new IllegalArgumentException("-f says it all: leave out NAME, URL and the options that describe it");
        }
        EndpointFileParser files = new EndpointFileParser();
        files.read(InputFile.displayName(given), InputFile.read(given, context));
        List<EndpointFileEntry> entries = files.entries();
        if (!files.problems().isEmpty()) {
            files.problems().forEach(this::printProblem);
            return ExitCodes.USAGE;
        }
        if (entries.size() > 1) {
            throw new IllegalArgumentException(
                    "%s has %d endpoints: 'endpoint import' takes them all at once".formatted(given, entries.size()));
        }
        try {
            return add(api, new JsonMapper().valueToTree(entries.get(0).document()));
        } catch (ApiException failure) {
            return reportProblems(
                    failure,
                    failure.problems().stream()
                            .map(entries.get(0)::withLocation)
                            .toList());
        }
    }

    private int add(ApiClient api, JsonNode document) {
        EndpointJsonView made = new EndpointJsonView(api.post(ApiPath.of("endpoints"), document, actor.name()));
        if (!output.printIfMachineReadable(made.document(), made.name(), terminal)) {
            terminal.printLine(TerminalText.singleLine("endpoint %s added: %s"
                    .formatted(
                            made.name(),
                            NextRunText.describe(made, context.clock().instant()))));
        }
        return ExitCodes.OK;
    }

    /** Several things may be wrong at once: each has a line. */
    private int reportProblems(ApiException failure, List<String> problems) {
        if (!failure.is(ApiException.Kind.INVALID_REQUEST)) {
            throw failure;
        }
        problems.forEach(this::printProblem);
        return ExitCodes.USAGE;
    }

    private void printProblem(String problem) {
        terminal.err().println("escapement endpoint add: " + TerminalText.singleLine(problem));
    }
}
