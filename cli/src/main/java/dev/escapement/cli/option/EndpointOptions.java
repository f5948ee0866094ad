package dev.escapement.cli.option;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.backoff.DurationText;
import dev.escapement.cli.CommandContext;
import dev.escapement.common.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** The options that define an endpoint. */
public final class EndpointOptions {

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

    public boolean isAnyGiven(CommandContext context) {
        return !toFields(context).isEmpty();
    }

    /** Builds the endpoint; exactly one of --every and --cron must be given. */
    public ObjectNode toDocument(String name, String url, CommandContext context) {
        if (every.isPresent() == cron.isPresent()) {
            throw new IllegalArgumentException(
                    "give exactly one of --every or --cron, such as --every 5m or --cron '0 3 * * *'");
        }
        ObjectNode document = Json.mapper().createObjectNode().put("name", name).put("url", url);
        document.setAll(toFields(context));
        return document;
    }

    private ObjectNode toFields(CommandContext context) {
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
            String name = header.substring(0, colon).strip();
            if (!seen.add(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException("--header %s is given twice: give it once".formatted(name));
            }
            to.put(name, header.substring(colon + 1).strip());
        }
    }

    private static void putText(ObjectNode to, String field, Optional<String> value) {
        value.ifPresent(given -> to.put(field, given));
    }

    private static void putDuration(ObjectNode to, String field, Optional<Duration> value) {
        putText(to, field, value.map(DurationText::format));
    }
}
