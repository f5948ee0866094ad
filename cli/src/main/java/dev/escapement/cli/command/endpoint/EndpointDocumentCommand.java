package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.api.endpoint.EndpointExplanation;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.output.EndpointDescriber;
import dev.escapement.cli.output.EndpointRunView;
import dev.escapement.cli.output.EndpointView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The commands that show one endpoint: {@code describe} and {@code explain}. */
abstract class EndpointDocumentCommand extends DocumentCommand {

    @Parameters(paramLabel = "NAME", description = "Name or id of the endpoint.")
    String name = "";

    @Command(
            name = "describe",
            description = {
                "Shows an endpoint: its definition, state, last runs, and next run with the reason for its time.",
                "",
                "Also shows the rejected times, each with the rule that rejected it. Secrets are hidden."
            },
            footer = "  escapement endpoint describe health")
    @ExitCodes.Documented(ExitCodes.NOT_FOUND)
    static final class EndpointDescribeCommand extends EndpointDocumentCommand {

        private static final int MAX_RUNS = 5;

        @Override
        protected int execute(ApiClient api) {
            EndpointView endpoint = EndpointView.of(api.get(ApiPath.of("endpoints", name)));
            print(endpoint.document(), endpoint.name(), () -> {
                ResourceList runs = ResourceList.fetch(api, ApiPath.of("endpoints", name, "runs"), MAX_RUNS);
                new EndpointDescriber(terminal, now())
                        .print(
                                endpoint,
                                runs.items().stream().map(EndpointRunView::of).toList());
            });
            return ExitCodes.OK;
        }
    }

    @Command(
            name = "explain",
            description = {
                "Shows when an endpoint runs next, and why not sooner or later.",
                "",
                "One sentence per line: the rule that decided, the bound that moved the time, the rejected times, and",
                "the time without hints. 'escapement runs ID' shows the same for a past run."
            },
            footer = "  escapement endpoint explain health")
    @ExitCodes.Documented(ExitCodes.NOT_FOUND)
    static final class EndpointExplainCommand extends EndpointDocumentCommand {

        @Override
        protected int execute(ApiClient api) {
            JsonNode document = api.get(ApiPath.of("endpoints", name, "explain"));
            EndpointExplanation response = ClientJson.read(document, EndpointExplanation.class);
            print(
                    document,
                    ClientJson.text(response.endpoint()),
                    () -> ClientJson.text(response.explanation()).lines().forEach(terminal::printSafeLine));
            return ExitCodes.OK;
        }
    }
}
