package dev.escapement.cli.command.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.common.Json;
import dev.escapement.notifications.audit.AuditLines;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "export",
        description = {
            "Prints the audit trail, oldest record first, one JSON object per line.",
            "",
            "The lines of the format jsonl have the hashes, so that `escapement audit verify FILE` works without a server.",
            "The format cloudevents has a CloudEvents 1.0 envelope around each record, and no hashes."
        },
        footer = {
            "  escapement audit export > audit.jsonl",
            "  escapement audit export --after 120000 >> audit.jsonl",
            "  escapement audit export --format cloudevents | collector"
        })
public final class AuditExportCommand extends ClientCommand {

    enum Format {
        JSONL,
        CLOUDEVENTS
    }

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "jsonl",
            description = "jsonl or cloudevents. Default: ${DEFAULT-VALUE}")
    private Format format = Format.JSONL;

    @Option(
            names = "--after",
            paramLabel = "NUMBER",
            defaultValue = "0",
            description = "Only entries after this number.")
    private long after;

    @Override
    protected int execute(ApiClient api) {
        long last = after;
        JsonNode items = readAfter(api, last);
        while (!items.isEmpty()) {
            for (JsonNode item : items) {
                Map<String, Object> entry = Json.toMap(item);
                terminal.out()
                        .println(format == Format.JSONL ? AuditLines.toLine(entry) : AuditLines.toCloudEvent(entry));
                last = item.path("sequence").asLong();
            }
            items = readAfter(api, last);
        }
        return ExitCodes.OK;
    }

    private static JsonNode readAfter(ApiClient api, long sequence) {
        return api.get(ApiPath.of("audit", "export").withParameter("after", Long.toString(sequence)))
                .path("items");
    }
}
