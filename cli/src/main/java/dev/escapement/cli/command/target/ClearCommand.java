package dev.escapement.cli.command.target;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.command.ActionCommand;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.common.Json;
import dev.escapement.governor.Target;
import dev.escapement.server.StartException;
import dev.escapement.server.operator.ClusterClearance;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "clear",
        description = {
            "Clears a target after a failure, so that it accepts executions again.",
            "",
            "Needed after an execution failed halfway, or after too many failed starts. Check the target first: it",
            "may be half changed. Your name and reason are recorded with the target, with the execution and in the",
            "journal. The failure count and the backoff are reset too.",
            "",
            "On a cluster it uses your own credentials: with --kubeconfig, or, if no server is named (--server, --data,",
            "--token-file, ESCAPEMENT_SERVER, ESCAPEMENT_TOKEN) and none runs on this machine, those of KUBECONFIG or",
            "~/.kube/config. The name that is recorded is then the one by which the cluster knows you, and --by has no",
            "effect. You need the role escapement-clear there."
        },
        footer = {
            "  escapement describe target node/worker-node-1",
            "  escapement clear node/worker-node-1 --reason 'checked the file system, nothing is lost'"
        })
@ExitCodes.Documented({ExitCodes.NO, ExitCodes.CLUSTER_UNUSABLE})
public final class ClearCommand extends ActionCommand {

    /** Shorter than the length at which a server truncates a reason. */
    private static final int COMPARED_LENGTH = 500;

    private static final String NOTHING_TO_CLEAR = "nothing to clear: target %s is not blocked and has no failures";

    @Parameters(paramLabel = "TARGET", description = "namespace/kind/name, or kind/name.")
    private String target = "";

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "Why the target may be used again; it is recorded.")
    private String reason = "";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Clears on the cluster of this file, with your own credentials.")
    private Optional<Path> kubeconfig = Optional.empty();

    @Override
    protected int execute(ApiClient api) {
        String canonical = Target.parse(target).canonical();
        if (TerminalText.singleLine(reason).isEmpty()) {
            throw new IllegalArgumentException("--reason is empty: give the reason to clear " + canonical);
        }
        Optional<Path> ownCluster = findOwnCluster();
        if (ownCluster.isPresent()) {
            return clearOnCluster(ownCluster.get(), Target.parse(target));
        }
        ObjectNode body = Json.mapper().createObjectNode();
        actorFields().forEach(body::put);
        body.put("target", canonical).put("reason", reason);
        JsonNode response = api.post(ApiPath.of("targets", "clear"), body);
        // A target with nothing to clear is returned as it is, possibly with an earlier clearance.
        boolean cleared = comparablePrefix(ClientJson.text(response, "/status/clearance/clearReason"))
                .equals(comparablePrefix(reason));
        print(
                response,
                canonical,
                cleared
                        ? "target %s cleared by %s: %s"
                                .formatted(canonical, ClientJson.text(response, "/status/clearance/clearedBy"), reason)
                        : NOTHING_TO_CLEAR.formatted(canonical));
        return cleared ? ExitCodes.OK : ExitCodes.NO;
    }

    /** Returns the kubeconfig to use; empty if a server is to be asked. */
    private Optional<Path> findOwnCluster() {
        if (kubeconfig.isPresent() || connection.namesServer(context)) {
            return kubeconfig;
        }
        return context.environmentVariable("KUBECONFIG")
                .map(files -> Path.of(files.split(File.pathSeparator, 2)[0]))
                .or(() -> Optional.of(context.home().resolve(".kube").resolve("config")))
                .filter(Files::isReadable);
    }

    private int clearOnCluster(Path file, Target cleared) {
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException("--kubeconfig %s cannot be read".formatted(file));
        }
        try (ClusterClearance cluster =
                new ClusterClearance(file, time -> context.sleeper().sleepOrFail(time, "waiting for the operator"))) {
            ClusterClearance.Answer answer = cluster.clear(cleared, TerminalText.singleLine(reason));
            String line = switch (answer.outcome()) {
                case CLEARED -> "target %s cleared by %s: %s".formatted(cleared, answer.actor(), reason);
                case NOTHING_TO_CLEAR -> NOTHING_TO_CLEAR.formatted(cleared);
                case REQUESTED ->
                    "target %s will be cleared in the name of %s as soon as an operator runs"
                            .formatted(cleared, answer.actor());
            };
            print(answer.entry(), cleared.canonical(), line);
            return answer.outcome() == ClusterClearance.Outcome.NOTHING_TO_CLEAR ? ExitCodes.NO : ExitCodes.OK;
        } catch (StartException failure) {
            terminal.printError("escapement: " + failure.getMessage());
            return ExitCodes.forFailure(failure);
        }
    }

    private static String comparablePrefix(String text) {
        return TerminalText.singleLine(text, COMPARED_LENGTH);
    }
}
