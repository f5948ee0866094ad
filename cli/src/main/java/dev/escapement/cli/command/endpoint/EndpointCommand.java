package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.api.endpoint.EndpointExplanation;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.command.ActionCommand;
import dev.escapement.cli.command.CommandGroup;
import dev.escapement.cli.command.DocumentCommand;
import dev.escapement.cli.command.ResourceCommand;
import dev.escapement.cli.output.EndpointDescriber;
import dev.escapement.cli.output.EndpointRunView;
import dev.escapement.cli.output.EndpointView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "endpoint",
        aliases = {"endpoints"},
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        description = {
            "Manages endpoints: URLs that are called at an interval or by a cron, with backoff while they fail."
        },
        footer = {
            "  escapement endpoint add health https://api.example.com/health --every 1m",
            "  escapement endpoint get",
            "  escapement endpoint describe health",
            "  escapement endpoint run health --wait",
            "  escapement endpoint hint health --every 10s --for 15m --reason 'watching the deployment'",
            "  escapement endpoint import -f endpoints.yaml",
            "  escapement runs --endpoint health"
        },
        subcommands = {
            EndpointAddCommand.class,
            EndpointCommand.EndpointGetCommand.class,
            EndpointCommand.EndpointDescribeCommand.class,
            EndpointCommand.EndpointExplainCommand.class,
            EndpointActionCommand.EndpointPauseCommand.class,
            EndpointActionCommand.EndpointResumeCommand.class,
            EndpointRunCommand.class,
            EndpointActionCommand.EndpointHintCommand.class,
            EndpointActionCommand.EndpointResetCommand.class,
            EndpointCommand.EndpointRmCommand.class,
            EndpointImportCommand.class
        })
public final class EndpointCommand extends CommandGroup {

    @Command(
            name = "get",
            description = {
                "Lists endpoints by name with their next run and the rule that decided its time, or shows one.",
                "",
                "The output of -o yaml can be edited and given to 'endpoint import'; hidden values stay unchanged."
            },
            footer = {
                "  escapement endpoint get",
                "  escapement endpoint get --state failing -o wide",
                "  escapement endpoint get --all -o yaml > endpoints.yaml",
                "  escapement endpoint get health -o json | jq .status.nextRun"
            })
    @ExitCodes.Documented(ExitCodes.NOT_FOUND)
    static final class EndpointGetCommand extends ResourceCommand<EndpointView> {

        /** Values of {@code --state}. */
        enum StateFilter {
            FAILING,
            PAUSED,
            RUNNING,
            ARCHIVED
        }

        @Parameters(arity = "0..1", paramLabel = "NAME", description = "Show only the endpoint with this name or id.")
        private Optional<String> name = Optional.empty();

        @Option(
                names = "--state",
                paramLabel = "STATE",
                description = "Only endpoints that are failing, paused, running or archived. Default: all but archived")
        private Optional<StateFilter> state = Optional.empty();

        @Mixin
        private final LimitOptions limit = new LimitOptions();

        EndpointGetCommand() {
            super(EndpointView::of, EndpointView::name, EndpointDescriber::buildTable);
        }

        @Override
        protected int execute(ApiClient api) {
            Optional<ApiPath> one = name.map(given -> ApiPath.of("endpoints", given));
            ApiPath list = ApiPath.of("endpoints")
                    .withParameter("state", state.map(given -> given.name().toLowerCase(Locale.ROOT)));
            String none = state.isPresent()
                    ? "no endpoints match"
                    : "no endpoints yet: escapement endpoint add NAME URL --every 5m";
            print(api, new Query(one, list, Optional.of(none)), limit);
            return ExitCodes.OK;
        }
    }

    @Command(
            name = "describe",
            description = {
                "Shows an endpoint: its definition, state, last runs, and next run with the reason for its time.",
                "",
                "Also shows the rejected times, each with the rule that rejected it. Secrets are hidden."
            },
            footer = "  escapement endpoint describe health")
    @ExitCodes.Documented(ExitCodes.NOT_FOUND)
    static final class EndpointDescribeCommand extends DocumentCommand {

        private static final int MAX_RUNS = 5;

        @Parameters(paramLabel = "NAME", description = "Name or id of the endpoint.")
        private String name = "";

        @Override
        protected int execute(ApiClient api) {
            EndpointView endpoint = EndpointView.of(api.get(ApiPath.of("endpoints", name)));
            print(endpoint.document(), endpoint.name(), () -> {
                ResourceList runs = ResourceList.fetch(api, ApiPath.of("endpoints", name, "runs"), MAX_RUNS);
                var views = runs.items().stream().map(EndpointRunView::of).toList();
                new EndpointDescriber(terminal, now()).print(endpoint, views);
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
    static final class EndpointExplainCommand extends DocumentCommand {

        @Parameters(paramLabel = "NAME", description = "Name or id of the endpoint.")
        private String name = "";

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

    @Command(
            name = "rm",
            description = {
                "Archives endpoints: they never run again, and their names can be used again.",
                "",
                "A call in progress completes. The history stays until its retention ends."
            },
            footer = {
                "  escapement endpoint rm health",
                "  escapement endpoint get --all -o name | grep '^test-' | xargs escapement endpoint rm",
                "  escapement endpoint get --state archived"
            })
    @ExitCodes.Documented(ExitCodes.NOT_FOUND)
    static final class EndpointRmCommand extends ActionCommand {

        @Parameters(paramLabel = "NAME", arity = "1..*", description = "Names of the endpoints.")
        private List<String> names = new ArrayList<>();

        /** Continues after an endpoint that does not exist. */
        @Override
        protected int execute(ApiClient api) {
            int exitCode = ExitCodes.OK;
            for (String name : names) {
                try {
                    archive(api, name);
                } catch (ApiException failure) {
                    if (!failure.is(ApiException.Kind.NOT_FOUND)) {
                        throw failure;
                    }
                    terminal.printError("escapement endpoint rm: " + String.join(" ", failure.problems()));
                    exitCode = ExitCodes.NOT_FOUND;
                }
            }
            return exitCode;
        }

        private void archive(ApiClient api, String name) {
            var archived = EndpointView.of(api.delete(ApiPath.of("endpoints", name), actorFields()));
            String line = "endpoint %s archived; its runs: escapement runs --endpoint %s"
                    .formatted(archived.name(), archived.id());
            print(archived.document(), archived.name(), line);
        }
    }
}
