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
import dev.escapement.cli.output.EndpointJsonView;
import dev.escapement.cli.output.EndpointRunDescriber;
import dev.escapement.cli.output.EndpointRunJsonView;
import dev.escapement.cli.output.terminal.TerminalText;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** Stays with an endpoint until the run that somebody asked for has ended, and tells what came of it. */
final class EndpointRunWaiter {

    private static final Backoff POLL_BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(1))
            .build();

    /** After the wish there are few runs before somebody looks. */
    private static final int MAX_RUNS = 50;

    private final CommandContext context;
    private final OutputOption output;

    EndpointRunWaiter(CommandContext surroundings, OutputOption output) {
        this.context = surroundings;
        this.output = output;
    }

    /** Waits, shows the run, and returns the exit code that tells how it ended. */
    int waitFor(ApiClient api, JsonNode asked) {
        EndpointJsonView endpoint = new EndpointJsonView(asked);
        Instant wish = endpoint.runRequestedAt()
                .orElseThrow(() -> new ApiException(
                        ApiException.Kind.SERVER_ERROR,
                        "the server does not say when the run was asked for: it is another version than this program"));
        Optional<EndpointRunJsonView> run;
        try (ProgressLine line = new ProgressLine(context, output.isHumanReadable(), endpoint.name());
                ShutdownSignals.Registration registration =
                        context.shutdownSignals().onInterrupt(() -> printDetached(line, endpoint.name()))) {
            run = awaitRun(api, endpoint, wish, line);
            assert registration != null;
        }
        return run.map(this::printRun).orElseGet(() -> printNoRun(endpoint));
    }

    /** The first run whose slot is at or after the wish; nothing if none will come. */
    private Optional<EndpointRunJsonView> awaitRun(
            ApiClient api, EndpointJsonView asked, Instant wish, ProgressLine line) {
        EndpointJsonView endpoint = asked;
        for (int look = 1; ; look++) {
            boolean answered = endpoint.instant("/status/lastRun/slot")
                    .filter(slot -> !slot.isBefore(wish))
                    .isPresent();
            if (answered) {
                return ResourceList.fetch(api, ApiPath.of("endpoints", asked.id(), "runs"), MAX_RUNS).items().stream()
                        .map(EndpointRunJsonView::new)
                        .filter(run ->
                                run.slot().filter(slot -> !slot.isBefore(wish)).isPresent())
                        .min(Comparator.comparingLong(EndpointRunJsonView::number));
            }
            if (endpoint.isPausedOrArchived() && !endpoint.isRunning()) {
                return Optional.empty();
            }
            line.show(endpoint.isRunning() ? "Running on " + endpoint.text("/status/running/worker") : "Waiting");
            sleep(POLL_BACKOFF.delay(Math.min(look, 10)));
            endpoint = new EndpointJsonView(api.get(ApiPath.of("endpoints", asked.id())));
        }
    }

    private int printRun(EndpointRunJsonView run) {
        if (!output.printIfMachineReadable(run.document(), run.id(), context.terminal())) {
            new EndpointRunDescriber(context.terminal(), context.clock().instant()).print(run);
        }
        return run.succeeded() ? ExitCodes.OK : ExitCodes.NO;
    }

    private int printNoRun(EndpointJsonView endpoint) {
        context.terminal()
                .err()
                .println(TerminalText.singleLine(
                        "endpoint %s was paused or archived before it ran; nothing was called for this wish"
                                .formatted(endpoint.name())));
        return ExitCodes.CONFLICT;
    }

    private void printDetached(ProgressLine line, String name) {
        line.close();
        context.terminal()
                .err()
                .println(TerminalText.singleLine(
                        "no longer waiting; endpoint %s runs all the same: escapement runs --endpoint %1$s"
                                .formatted(name)));
        context.terminal().err().flush();
    }

    private void sleep(Duration time) {
        try {
            context.sleeper().sleep(time);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ApiException(ApiException.Kind.UNREACHABLE, "interrupted while waiting for the run");
        }
    }
}
