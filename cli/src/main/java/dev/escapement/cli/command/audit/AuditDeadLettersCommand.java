package dev.escapement.cli.command.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.command.ResourceCommand;
import dev.escapement.cli.output.DeadLetterView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "dead-letters",
        description = {
            "Lists the audit records that the sink refused, or sends them again.",
            "",
            "A sink refuses a record with a status such as 400 or 422. It is sent again only with --replay. A wrong",
            "token or address is no refusal: then all records wait."
        },
        footer = {
            "  escapement audit dead-letters",
            "  escapement audit dead-letters -o json | jq -r '.items[].error'",
            "  escapement audit dead-letters --replay"
        })
public final class AuditDeadLettersCommand extends ResourceCommand<DeadLetterView> {

    @Option(names = "--replay", description = "Send all of them again. Needs the right admin.")
    private boolean replay;

    AuditDeadLettersCommand() {
        super(DeadLetterView::of, DeadLetterView::id, DeadLetterView::buildTable);
    }

    @Override
    protected int execute(ApiClient api) {
        if (replay) {
            JsonNode answer = api.post(ApiPath.of("audit", "dead-letters", "replay"), Map.of());
            long requested = answer.path("requested").asLong();
            print(answer, Long.toString(requested), "%d records are sent again".formatted(requested));
            return ExitCodes.OK;
        }
        ResourceList list = new ResourceList(readAll(api), false);
        printList(list.items(), list.toDocument(), Optional.of("the sink refused no audit records"));
        return ExitCodes.OK;
    }

    private static List<JsonNode> readAll(ApiClient api) {
        List<JsonNode> all = new ArrayList<>();
        int before;
        long last = 0;
        do {
            before = all.size();
            api.get(ApiPath.of("audit", "dead-letters").withParameter("after", Long.toString(last)))
                    .path("items")
                    .forEach(all::add);
            last = all.isEmpty() ? 0 : all.get(all.size() - 1).path("sequence").asLong();
        } while (all.size() > before);
        return all;
    }
}
