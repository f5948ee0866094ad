package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.ActionCommand;
import dev.escapement.cli.command.endpoint.EndpointFileParser.EndpointFileEntry;
import dev.escapement.cli.option.EndpointOptions;
import dev.escapement.cli.option.InputFile;
import dev.escapement.cli.output.EndpointView;
import dev.escapement.common.Json;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "add",
        description = {
            "Adds an endpoint: a URL that the server calls at an interval or by a cron.",
            "",
            "The first call is at the next scheduled time. While calls fail, the time between them doubles, up to",
            "32 times the interval; a success restores the schedule. Internal addresses (loopback, private,",
            "link-local) are rejected unless the server's setting endpoints.allow lists them."
        },
        footer = {
            "  escapement endpoint add health https://api.example.com/health --every 1m",
            "  escapement endpoint add report https://api.example.com/report --method POST --body @report.json \\",
            "      --header 'Content-Type: application/json' --cron '0 3 * * mon-fri' --time-zone Europe/Berlin",
            "  escapement endpoint add gateway https://gw.example.com/live --every 30s --remediate-after 3 \\",
            "      --remediate-workflow restart-service --remediate-target payment/deployment/gateway",
            "  escapement endpoint add -f health.yaml"
        })
@ExitCodes.Documented(ExitCodes.CONFLICT)
final class EndpointAddCommand extends ActionCommand {

    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "Name of the endpoint.")
    private Optional<String> name = Optional.empty();

    @Parameters(index = "1", arity = "0..1", paramLabel = "URL", description = "URL to call: http or https.")
    private Optional<String> url = Optional.empty();

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "YAML or JSON file with the endpoint; - for standard input. For several: endpoint import")
    private Optional<String> file = Optional.empty();

    @Mixin
    private final EndpointOptions options = new EndpointOptions();

    @Override
    protected int execute(ApiClient api) {
        return file.isPresent() ? addFromFile(api, file.get()) : addFromOptions(api);
    }

    private int addFromOptions(ApiClient api) {
        if (name.isEmpty() || url.isEmpty()) {
            throw new IllegalArgumentException("NAME or URL is missing: give both, or a file with -f");
        }
        return add(api, options.toDocument(name.get(), url.get(), context), problem -> problem);
    }

    private int addFromFile(ApiClient api, String given) {
        if (name.isPresent() || options.isAnyGiven(context)) {
            throw new IllegalArgumentException("-f cannot be combined with NAME, URL or options of the endpoint");
        }
        EndpointFileParser parser = new EndpointFileParser();
        parser.read(InputFile.displayName(given), InputFile.read(given, context));
        if (!parser.problems().isEmpty()) {
            return printProblems(parser.problems());
        }
        List<EndpointFileEntry> entries = parser.entries();
        if (entries.size() > 1) {
            throw new IllegalArgumentException(
                    "%s has %d endpoints: use 'endpoint import'".formatted(given, entries.size()));
        }
        EndpointFileEntry entry = entries.get(0);
        return add(api, Json.mapper().valueToTree(entry.document()), entry::withLocation);
    }

    private int add(ApiClient api, JsonNode document, UnaryOperator<String> locate) {
        try {
            EndpointView added = EndpointView.of(api.post(ApiPath.of("endpoints"), document, actorName()));
            print(added.document(), added.name(), added.changeSentence("added", now()));
            return ExitCodes.OK;
        } catch (ApiException failure) {
            if (!failure.is(ApiException.Kind.INVALID_REQUEST)) {
                throw failure;
            }
            return printProblems(failure.problems().stream().map(locate).toList());
        }
    }

    private int printProblems(List<String> problems) {
        problems.forEach(problem -> terminal.printError("escapement endpoint add: " + problem));
        return ExitCodes.USAGE;
    }
}
