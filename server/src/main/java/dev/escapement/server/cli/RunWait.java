package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.backoff.Backoff;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.ApiFailure;
import dev.escapement.server.cli.api.Listing;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.text.Printable;
import dev.escapement.server.cli.view.EndpointView;
import dev.escapement.server.cli.view.RunPage;
import dev.escapement.server.cli.view.RunView;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** Stays with an endpoint until the run that somebody asked for has ended, and tells what came of it. */
final class RunWait {

    private static final Backoff BETWEEN_LOOKS = Backoff.builder()
            .base(Duration.ofMillis(100))
            .max(Duration.ofSeconds(1))
            .build();

    /** After the wish there are few runs before somebody looks. */
    private static final int RUNS = 50;

    private final Surroundings surroundings;
    private final Output output;

    RunWait(Surroundings surroundings, Output output) {
        this.surroundings = surroundings;
        this.output = output;
    }

    /** Waits, shows the run, and returns the exit code that tells how it ended. */
    int until(ApiClient api, JsonNode asked) {
        EndpointView endpoint = new EndpointView(asked);
        Instant wish = endpoint.wish()
                .orElseThrow(() -> new ApiFailure(
                        ApiFailure.Kind.SERVER_ERROR,
                        "the server does not say when the run was asked for: it is another version than this program"));
        Optional<RunView> run;
        try (ProgressLine line = new ProgressLine(surroundings, output.isForPeople(), endpoint.name());
                Interrupts.Registration registration =
                        surroundings.interrupts().onInterrupt(() -> detach(line, endpoint.name()))) {
            run = answer(api, endpoint, wish, line);
            assert registration != null;
        }
        return run.map(this::report).orElseGet(() -> gone(endpoint));
    }

    /** The first run whose slot is at or after the wish; nothing if none will come. */
    private Optional<RunView> answer(ApiClient api, EndpointView asked, Instant wish, ProgressLine line) {
        EndpointView endpoint = asked;
        for (int look = 1; ; look++) {
            boolean answered = endpoint.instant("/status/lastRun/slot")
                    .filter(slot -> !slot.isBefore(wish))
                    .isPresent();
            if (answered) {
                return Listing.of(api, Resource.of("endpoints", asked.id(), "runs"), RUNS).items().stream()
                        .map(RunView::new)
                        .filter(run ->
                                run.slot().filter(slot -> !slot.isBefore(wish)).isPresent())
                        .min(Comparator.comparingLong(RunView::number));
            }
            if (endpoint.isResting() && !endpoint.isRunning()) {
                return Optional.empty();
            }
            line.show(endpoint.isRunning() ? "Running on " + endpoint.text("/status/running/worker") : "Waiting");
            pause(BETWEEN_LOOKS.delay(Math.min(look, 10)));
            endpoint = new EndpointView(api.get(Resource.of("endpoints", asked.id())));
        }
    }

    private int report(RunView run) {
        if (!output.print(run.document(), run.id(), surroundings.terminal())) {
            new RunPage(surroundings.terminal(), surroundings.clock().instant()).print(run);
        }
        return run.succeeded() ? ExitCodes.OK : ExitCodes.NO;
    }

    private int gone(EndpointView endpoint) {
        surroundings
                .terminal()
                .err()
                .println(Printable.line(
                        "endpoint %s was paused or archived before it ran; nothing was called for this wish"
                                .formatted(endpoint.name())));
        return ExitCodes.CONFLICT;
    }

    private void detach(ProgressLine line, String name) {
        line.close();
        surroundings
                .terminal()
                .err()
                .println(Printable.line(
                        "no longer waiting; endpoint %s runs all the same: escapement runs --endpoint %1$s"
                                .formatted(name)));
        surroundings.terminal().err().flush();
    }

    private void pause(Duration time) {
        try {
            surroundings.pause().of(time);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ApiFailure(ApiFailure.Kind.UNREACHABLE, "interrupted while waiting for the run");
        }
    }
}
