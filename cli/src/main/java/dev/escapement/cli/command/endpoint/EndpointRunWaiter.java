package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.backoff.Backoff;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.ShutdownSignals;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.command.ProgressLine;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.ApiValues;
import dev.escapement.cli.output.EndpointRunView;
import dev.escapement.cli.output.EndpointView;
import dev.escapement.cli.output.terminal.Terminal;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Waits for the requested run of an endpoint, and reports its outcome. */
final class EndpointRunWaiter {

    private static final Backoff POLL_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(1))
            .build();

    private static final int MAX_RUNS = 50;

    private final CommandContext context;
    private final Terminal terminal;
    private final OutputOption output;

    EndpointRunWaiter(CommandContext context, OutputOption output) {
        this.context = context;
        this.terminal = context.terminal();
        this.output = output;
    }

    /** Returns the exit code for the outcome. */
    int waitFor(ApiClient api, JsonNode requested) {
        EndpointView endpoint = EndpointView.of(requested);
        Instant requestedAt = endpoint.runRequestedAt()
                .orElseThrow(() -> new ApiException(
                        ApiException.Kind.SERVER_ERROR,
                        "the response has no status.runRequest.at: the server has another version than this program"));
        Optional<EndpointRunView> run;
        try (ProgressLine line = new ProgressLine(context, output.isHumanReadable(), endpoint.name());
                ShutdownSignals.Registration registration =
                        context.shutdownSignals().onInterrupt(() -> printInterrupted(line, endpoint.name()))) {
            run = awaitRun(api, endpoint, requestedAt, line);
            assert registration != null;
        }
        return run.map(this::printRun).orElseGet(() -> printNoRun(endpoint));
    }

    /** Returns the first run whose slot is at or after the request; empty if none will follow. */
    private Optional<EndpointRunView> awaitRun(
            ApiClient api, EndpointView requested, Instant requestedAt, ProgressLine line) {
        EndpointView endpoint = requested;
        for (int poll = 1; ; poll++) {
            if (isAtOrAfter(requestedAt, endpoint.lastRun().slot())) {
                return ResourceList.fetch(api, ApiPath.of("endpoints", requested.id(), "runs"), MAX_RUNS)
                        .items()
                        .stream()
                        .map(EndpointRunView::of)
                        .filter(view -> isAtOrAfter(requestedAt, view.run().slot()))
                        .min(Comparator.comparingLong(EndpointRunView::number));
            }
            if (endpoint.isPausedOrArchived() && !endpoint.isRunning()) {
                return Optional.empty();
            }
            line.show(endpoint.isRunning() ? "Running on " + endpoint.running().worker() : "Waiting");
            context.sleeper().sleepOrFail(POLL_BACKOFF.delay(Math.min(poll, 10)), "waiting for the run");
            endpoint = EndpointView.of(api.get(ApiPath.of("endpoints", requested.id())));
        }
    }

    private static boolean isAtOrAfter(Instant requestedAt, @Nullable String slot) {
        return ApiValues.instant(slot)
                .filter(time -> !time.isBefore(requestedAt))
                .isPresent();
    }

    private int printRun(EndpointRunView run) {
        EndpointClientCommand.printRun(run, output, context);
        return run.succeeded() ? ExitCodes.OK : ExitCodes.NO;
    }

    private int printNoRun(EndpointView endpoint) {
        terminal.printError("endpoint %s was paused or archived before the requested run; it was not called"
                .formatted(endpoint.name()));
        return ExitCodes.CONFLICT;
    }

    private void printInterrupted(ProgressLine line, String name) {
        line.close();
        terminal.printError(
                "stopped waiting; the requested run of endpoint %1$s continues: escapement runs --endpoint %1$s"
                        .formatted(name));
    }
}
