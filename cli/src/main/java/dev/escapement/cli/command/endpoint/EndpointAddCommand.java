package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.backoff.DurationText;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.ActionCommand;
import dev.escapement.cli.command.endpoint.EndpointFileParser.EndpointFileEntry;
import dev.escapement.cli.option.InputFile;
import dev.escapement.cli.output.EndpointView;
import dev.escapement.common.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Command;
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

    @Option(names = "--every", paramLabel = "DURATION", description = "Interval: 30s, 5m, 1h.")
    private Optional<Duration> every = Optional.empty();

    @Option(names = "--cron", paramLabel = "EXPRESSION", description = "Cron with five fields: '0 3 * * *'.")
    private Optional<String> cron = Optional.empty();

    @Option(names = "--time-zone", paramLabel = "ZONE", description = "Zone of the cron: Europe/Berlin. Default: UTC")
    private Optional<String> timeZone = Optional.empty();

    @Option(names = "--method", paramLabel = "METHOD", description = "GET, POST, PUT, PATCH or DELETE. Default: GET")
    private Optional<String> method = Optional.empty();

    @Option(
            names = "--header",
            paramLabel = "'NAME: VALUE'",
            description = "Header of every call; repeatable. Other users of this machine can see command lines:"
                    + " put a secret value into a file for -f.")
    private List<String> headers = new ArrayList<>();

    @Option(names = "--body", paramLabel = "TEXT", description = "Request body; @FILE reads it from a file.")
    private Optional<String> body = Optional.empty();

    @Option(names = "--timeout", paramLabel = "DURATION", description = "Limit for the whole call. Default: 30s")
    private Optional<Duration> timeout = Optional.empty();

    @Option(names = "--min", paramLabel = "DURATION", description = "Shortest time between two runs.")
    private Optional<Duration> min = Optional.empty();

    @Option(names = "--max", paramLabel = "DURATION", description = "Longest time between two runs.")
    private Optional<Duration> max = Optional.empty();

    @Option(names = "--paused-until", paramLabel = "TIME", description = "No run before this time.")
    private Optional<Instant> pausedUntil = Optional.empty();

    @Option(
            names = "--signing-key-file",
            paramLabel = "FILE",
            description = "File with the key (whsec_…) that signs every call as in Standard Webhooks.")
    private Optional<String> signingKeyFile = Optional.empty();

    @Option(
            names = "--remediate-workflow",
            paramLabel = "ID",
            description = "Workflow to run when the endpoint keeps failing.")
    private Optional<String> remediationWorkflow = Optional.empty();

    @Option(names = "--remediate-target", paramLabel = "TARGET", description = "Target of that workflow: kind/name.")
    private Optional<String> remediationTarget = Optional.empty();

    @Option(names = "--remediate-after", paramLabel = "N", description = "Failures in a row before it. Default: 3")
    private Optional<Integer> remediateAfter = Optional.empty();

    @Option(
            names = "--remediate-image",
            paramLabel = "IMAGE",
            description = "On a cluster: the Tekton bundle of the workflow, or the image of its Job.")
    private Optional<String> remediationImage = Optional.empty();

    @Option(names = "--description", paramLabel = "TEXT", description = "Purpose of the endpoint.")
    private Optional<String> description = Optional.empty();

    @Override
    protected int execute(ApiClient api) {
        return file.isPresent() ? addFromFile(api, file.get()) : addFromOptions(api);
    }

    private int addFromOptions(ApiClient api) {
        if (name.isEmpty() || url.isEmpty()) {
            throw new IllegalArgumentException("NAME or URL is missing: give both, or a file with -f");
        }
        if (every.isPresent() == cron.isPresent()) {
            throw new IllegalArgumentException(
                    "give exactly one of --every or --cron, such as --every 5m or --cron '0 3 * * *'");
        }
        ObjectNode document = Json.mapper().createObjectNode();
        document.put("name", name.get()).put("url", url.get()).setAll(fieldsOfOptions());
        return add(api, document, problem -> problem);
    }

    private int addFromFile(ApiClient api, String given) {
        if (name.isPresent() || !fieldsOfOptions().isEmpty()) {
            throw new IllegalArgumentException("-f cannot be combined with NAME, URL or options of the endpoint");
        }
        EndpointFileParser parser = new EndpointFileParser();
        parser.read(InputFile.displayName(given), InputFile.read(given, context));
        if (!parser.problems.isEmpty()) {
            return printProblems(parser.problems);
        }
        List<EndpointFileEntry> entries = parser.entries;
        if (entries.size() > 1) {
            throw new IllegalArgumentException(
                    "%s has %d endpoints: use 'endpoint import'".formatted(given, entries.size()));
        }
        EndpointFileEntry entry = entries.get(0);
        return add(api, Json.mapper().valueToTree(entry.document()), entry::withLocation);
    }

    private int add(ApiClient api, JsonNode document, UnaryOperator<String> locate) {
        try {
            EndpointView added = EndpointView.of(api.post(
                    ApiPath.of("endpoints"),
                    document,
                    Optional.ofNullable(actorFields().get("by"))));
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

    private ObjectNode fieldsOfOptions() {
        ObjectNode fields = Json.mapper().createObjectNode();
        putDuration(fields, "interval", every);
        putText(fields, "cron", cron);
        putText(fields, "timeZone", timeZone);
        putText(fields, "method", method);
        if (!headers.isEmpty()) {
            putHeaders(fields.putObject("headers"));
        }
        putText(
                fields,
                "body",
                body.map(text -> text.startsWith("@") ? InputFile.read(text.substring(1), context) : text));
        putDuration(fields, "timeout", timeout);
        putDuration(fields, "minInterval", min);
        putDuration(fields, "maxInterval", max);
        putText(fields, "pausedUntil", pausedUntil.map(Instant::toString));
        putText(
                fields,
                "signingKey",
                signingKeyFile.map(file -> InputFile.read(file, context).strip()));
        ObjectNode remediation = Json.mapper().createObjectNode();
        putText(remediation, "workflow", remediationWorkflow);
        putText(remediation, "target", remediationTarget);
        putText(remediation, "containerImage", remediationImage);
        remediateAfter.ifPresent(failures -> remediation.put("after", failures));
        if (!remediation.isEmpty()) {
            fields.set("remediation", remediation);
        }
        putText(fields, "description", description);
        return fields;
    }

    private void putHeaders(ObjectNode to) {
        Set<String> seen = new TreeSet<>();
        for (String header : headers) {
            int colon = header.indexOf(':');
            if (colon < 1) {
                // The message does not quote the value: it may be a secret.
                throw new IllegalArgumentException("--header has no name and colon: write it as 'Name: value'");
            }
            String field = header.substring(0, colon).strip();
            if (!seen.add(field.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException("--header %s is given twice: give it once".formatted(field));
            }
            to.put(field, header.substring(colon + 1).strip());
        }
    }

    private static void putText(ObjectNode to, String field, Optional<String> value) {
        value.ifPresent(given -> to.put(field, given));
    }

    private static void putDuration(ObjectNode to, String field, Optional<Duration> value) {
        putText(to, field, value.map(DurationText::format));
    }
}
