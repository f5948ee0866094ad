package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.backoff.DurationText;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.ApiFailure;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.text.Printable;
import dev.escapement.server.cli.view.ExecutionView;
import dev.escapement.server.cli.view.NextSteps;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Asks for a workflow to run on a target. */
@Command(
        name = "run",
        sortOptions = false,
        description = {
            "Asks for a workflow to run on a target.",
            "",
            "Whether it runs is decided by the gate: if something is in the way, the execution is Skipped and",
            "says why. With --wait the command stays until the outcome is known, and its exit code tells it;",
            "Ctrl-C then only ends the waiting, not the execution.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  escapement run clean-disk node/worker-node-1 --wait",
            "  escapement run clean-disk node/worker-node-1 -p FILES=50 --timeout 5m",
            "  escapement run clean-disk node/worker-node-1 -o name",
            "  escapement run clean-disk node/worker-node-1 --image registry.example.com/clean-disk:2 --engine job"
        })
@ExitsWith({
    ExitCodes.OK,
    ExitCodes.NO,
    ExitCodes.FAILED_BEFORE,
    ExitCodes.FAILED_DURING,
    ExitCodes.NOT_FOUND,
    ExitCodes.CONFLICT,
    ExitCodes.INTERRUPTED
})
final class RunCommand extends ClientCommand {

    /** No vowels, no look-alikes. */
    private static final String LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    private static final int RANDOM_LETTERS = 7;
    private static final int LONGEST_PREFIX = 50;
    private static final int ATTEMPTS = 10;

    @Parameters(index = "0", paramLabel = "WORKFLOW", description = "The id of the workflow: escapement get workflows")
    private String workflow = "";

    @Parameters(index = "1", paramLabel = "TARGET", description = "On what: namespace/kind/name, or kind/name.")
    private String target = "";

    @Option(
            names = {"-p", "--parameter"},
            paramLabel = "KEY=VALUE",
            description = "A parameter of the workflow; may be given several times.")
    private Map<String, String> parameters = new LinkedHashMap<>();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The execution's name. Default: the workflow's id and some letters")
    private Optional<String> name = Optional.empty();

    @Mixin
    private final Namespace namespace = new Namespace();

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "How long it may run: 30s, 5m. Default: the workflow's own")
    private Optional<Duration> timeout = Optional.empty();

    @Option(names = "--rationale", paramLabel = "TEXT", description = "Why, for those who read it later.")
    private Optional<String> rationale = Optional.empty();

    @Option(
            names = {"-w", "--wait"},
            description = "Stay until it has ended, and show how far it is.")
    private boolean wait;

    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private final Output output = new Output();

    RunCommand(Surroundings surroundings) {
        super(surroundings);
    }

    @Override
    int ask(ApiClient api) {
        Submission submission = send(api);
        ExecutionView asked = submission.execution();
        if (wait) {
            return new Wait(surroundings, connection, output).until(api, asked);
        }
        if (!output.print(asked.document(), asked.name(), terminal)) {
            terminal.line(Printable.line("execution %s %s"
                    .formatted(
                            asked.shortName(),
                            submission.created() ? "is asked for" : "was asked for before, with the same spec")));
            terminal.err().println("escapement describe execution " + NextSteps.qualified(asked.shortName()));
        }
        return ExitCodes.OK;
    }

    /** A name of our own that is taken is another execution's, also if that one asks for the same. */
    private Submission send(ApiClient api) {
        if (name.isPresent()) {
            return Submission.send(api, document(name.get()));
        }
        for (int attempt = 1; ; attempt++) {
            try {
                Submission submission = Submission.send(api, document(newName()));
                if (submission.created()) {
                    return submission;
                }
            } catch (ApiFailure failure) {
                if (!failure.is(ApiFailure.Kind.CONFLICT) || attempt == ATTEMPTS) {
                    throw failure;
                }
            }
        }
    }

    private ObjectNode document(String execution) {
        ObjectNode document = Json.object();
        document.put("apiVersion", "kubernaut.ai/v1alpha1").put("kind", "WorkflowExecution");
        document.putObject("metadata").put("name", execution).put("namespace", namespace.name());
        ObjectNode spec = document.putObject("spec");
        ObjectNode workflowRef = spec.putObject("workflowRef").put("workflowId", workflow);
        spec.put("targetResource", target);
        if (!parameters.isEmpty()) {
            ObjectNode given = spec.putObject("parameters");
            parameters.forEach(given::put);
        }
        rationale.ifPresent(text -> spec.put("rationale", text));
        ObjectNode config = Json.object();
        timeout.ifPresent(time -> config.put("timeout", DurationText.format(time)));
        cluster.addTo(workflowRef, config);
        if (!config.isEmpty()) {
            spec.set("executionConfig", config);
        }
        return document;
    }

    /** Given here and not by the server: a request that may have been lost can be asked about by its name. */
    private String newName() {
        String prefix =
                workflow.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        StringBuilder unique = new StringBuilder(prefix.substring(0, Math.min(LONGEST_PREFIX, prefix.length())))
                .append(prefix.isEmpty() ? "run-" : "-");
        for (int i = 0; i < RANDOM_LETTERS; i++) {
            unique.append(LETTERS.charAt(surroundings.random().nextInt(LETTERS.length())));
        }
        return unique.toString();
    }
}
