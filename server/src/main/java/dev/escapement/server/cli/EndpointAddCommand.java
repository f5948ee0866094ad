package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.ApiFailure;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.text.Printable;
import dev.escapement.server.cli.view.EndpointText;
import dev.escapement.server.cli.view.EndpointView;
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
@ExitsWith({ExitCodes.OK, ExitCodes.CONFLICT})
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
    private final By by;

    @Mixin
    private final Output output = new Output();

    EndpointAddCommand(Surroundings surroundings) {
        super(surroundings);
        this.options = new EndpointOptions(surroundings);
        this.by = new By(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        return file.isPresent() ? addFile(api, file.get()) : addOne(api);
    }

    private int addOne(ApiClient api) {
        if (name.isEmpty() || url.isEmpty()) {
            throw new IllegalArgumentException("NAME and URL are missing: say what to call it and whom to call, or -f");
        }
        try {
            return add(api, options.document(name.get(), url.get()));
        } catch (ApiFailure failure) {
            return refuse(failure, failure.problems());
        }
    }

    private int addFile(ApiClient api, String given) {
        if (name.isPresent() || options.areGiven()) {
            throw new IllegalArgumentException("-f says it all: leave out NAME, URL and the options that describe it");
        }
        EndpointFiles files = new EndpointFiles();
        files.read(InputFile.name(given), InputFile.read(given, surroundings));
        List<EndpointEntry> entries = files.entries();
        if (!files.problems().isEmpty()) {
            files.problems().forEach(this::complain);
            return ExitCodes.USAGE;
        }
        if (entries.size() > 1) {
            throw new IllegalArgumentException(
                    "%s has %d endpoints: 'endpoint import' takes them all at once".formatted(given, entries.size()));
        }
        try {
            return add(api, new JsonMapper().valueToTree(entries.get(0).document()));
        } catch (ApiFailure failure) {
            return refuse(
                    failure,
                    failure.problems().stream().map(entries.get(0)::located).toList());
        }
    }

    private int add(ApiClient api, JsonNode document) {
        EndpointView made = new EndpointView(api.post(Resource.of("endpoints"), document, by.name()));
        if (!output.print(made.document(), made.name(), terminal)) {
            terminal.line(Printable.line("endpoint %s added: %s"
                    .formatted(
                            made.name(),
                            EndpointText.next(made, surroundings.clock().instant()))));
        }
        return ExitCodes.OK;
    }

    /** Several things may be wrong at once: each has a line. */
    private int refuse(ApiFailure failure, List<String> problems) {
        if (!failure.is(ApiFailure.Kind.REFUSED)) {
            throw failure;
        }
        problems.forEach(this::complain);
        return ExitCodes.USAGE;
    }

    private void complain(String problem) {
        terminal.err().println("escapement endpoint add: " + Printable.line(problem));
    }
}
