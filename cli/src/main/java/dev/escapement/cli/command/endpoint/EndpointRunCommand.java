package dev.escapement.cli.command.endpoint;

import dev.escapement.backoff.Backoff;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ClientJson;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.command.ProgressLine;
import dev.escapement.cli.output.EndpointRunView;
import dev.escapement.cli.output.EndpointView;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "run",
        description = {
            "Requests one run of an endpoint now, regardless of backoff and limits.",
            "",
            "If a call is in progress, the run follows it. The schedule does not change. With --wait the command",
            "returns when the run has ended, shows it, and reports the outcome as exit code; Ctrl-C ends the",
            "waiting, not the run. A paused endpoint must be resumed first."
        },
        footer = {
            "  escapement endpoint run health --wait",
            "  escapement endpoint run health --reason 'after the deployment' --wait && echo it works"
        })
@ExitCodes.Documented({ExitCodes.NO, ExitCodes.CONFLICT, ExitCodes.INTERRUPTED})
final class EndpointRunCommand extends EndpointActionCommand {

    private static final Backoff POLL_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(1))
            .build();

    private static final int MAX_RUNS = 50;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            defaultValue = "requested on the command line",
            description = "Reason for the run; it is recorded.")
    private String reason = "";

    @Option(
            names = {"-w", "--wait"},
            description = "Wait until the run has ended, and show it.")
    private boolean wait;

    @Override
    protected int execute(ApiClient api) {
        EndpointView endpoint =
                EndpointView.of(api.post(actionPath("run"), requestBody().put("reason", reason)));
        if (!wait) {
            return printResult(endpoint.document(), "run requested");
        }
        Optional<EndpointRunView> run = awaitRun(api, endpoint);
        if (run.isEmpty()) {
            terminal.printError("endpoint %s was paused or archived before the requested run; it was not called"
                    .formatted(endpoint.name()));
            return ExitCodes.CONFLICT;
        }
        EndpointRunView ended = run.get();
        if (!output.printIfMachineReadable(ended.document(), ended.id(), terminal)) {
            ended.print(terminal, now());
        }
        return ended.succeeded() ? ExitCodes.OK : ExitCodes.NO;
    }

    private Optional<EndpointRunView> awaitRun(ApiClient api, EndpointView endpoint) {
        Instant requestedAt = endpoint.runRequestedAt()
                .orElseThrow(() -> new ApiException(
                        ApiException.Kind.SERVER_ERROR,
                        "the response has no status.runRequest.at: the server has another version than this program"));
        String interruptMessage =
                "stopped waiting; the requested run of endpoint %1$s continues: escapement runs --endpoint %1$s"
                        .formatted(endpoint.name());
        try (var line = new ProgressLine(context, output.isHumanReadable(), endpoint.name(), interruptMessage)) {
            return pollForRun(api, endpoint, requestedAt, line);
        }
    }

    /** Returns the first run whose slot is at or after the request; empty if none will follow. */
    private Optional<EndpointRunView> pollForRun(
            ApiClient api, EndpointView requested, Instant requestedAt, ProgressLine line) {
        EndpointView endpoint = requested;
        for (int poll = 1; ; poll++) {
            if (isAtOrAfter(requestedAt, endpoint.lastRun().slot())) {
                ApiPath runs = ApiPath.of("endpoints", requested.id(), "runs");
                return ResourceList.fetch(api, runs, MAX_RUNS).items().stream()
                        .map(EndpointRunView::of)
                        .filter(view -> isAtOrAfter(requestedAt, view.run().slot()))
                        .min(Comparator.comparingLong(EndpointRunView::number));
            }
            if (endpoint.isPausedOrArchived() && !endpoint.isRunning()) {
                return Optional.empty();
            }
            line.show(
                    endpoint.isRunning()
                            ? "Running on " + ClientJson.text(endpoint.running().worker())
                            : "Waiting");
            context.sleeper().sleepOrFail(POLL_BACKOFF.delay(Math.min(poll, 10)), "waiting for the run");
            endpoint = EndpointView.of(api.get(ApiPath.of("endpoints", requested.id())));
        }
    }

    private static boolean isAtOrAfter(Instant requestedAt, @Nullable String slot) {
        return ClientJson.instant(slot).stream().anyMatch(time -> !time.isBefore(requestedAt));
    }
}
