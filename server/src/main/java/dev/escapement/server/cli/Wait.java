package dev.escapement.server.cli;

import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.text.Printable;
import dev.escapement.server.cli.text.Times;
import dev.escapement.server.cli.text.Tone;
import dev.escapement.server.cli.view.ExecutionView;
import dev.escapement.server.cli.view.NextSteps;
import java.time.Instant;
import java.util.Optional;

/** Stays with an execution until it has ended, shows how far it is, and says how it ended. */
final class Wait {

    private final Surroundings surroundings;
    private final Connection connection;
    private final Output output;

    Wait(Surroundings surroundings, Connection connection, Output output) {
        this.surroundings = surroundings;
        this.connection = connection;
        this.output = output;
    }

    /** Waits, says how it ended, and returns the exit code that tells it. */
    int until(ApiClient api, ExecutionView asked) {
        Optional<ExecutionView> ended;
        try (ProgressLine line = new ProgressLine(surroundings, output.isForPeople(), asked.shortName());
                Interrupts.Registration registration =
                        surroundings.interrupts().onInterrupt(() -> detach(line, asked))) {
            line.show(asked.phase());
            Companion companion = new Companion(api, asked, line::show);
            connection.events(api).follow(companion);
            ended = companion.ended();
            assert registration != null;
        }
        return ended.map(this::report).orElseGet(() -> deleted(asked));
    }

    private int report(ExecutionView ended) {
        if (!output.print(ended.document(), ended.name(), surroundings.terminal())) {
            Instant now = surroundings.clock().instant();
            String took = ended.duration(now)
                    .map(time -> " after " + Times.about(time))
                    .orElse("");
            String reason = ended.reason().isEmpty() ? "" : " (" + Printable.line(ended.reason()) + ")";
            say(surroundings.terminal().in(Tone.of(ended.phase()), Printable.line(ended.phase()))
                    + reason
                    + took
                    + (ended.is("Completed") ? "" : ": " + Printable.line(ended.message())));
            NextSteps.of(ended, now).forEach(step -> say("  " + Printable.line(step)));
        }
        return switch (ended.phase()) {
            case "Completed" -> ExitCodes.OK;
            case "Skipped" -> ExitCodes.NO;
            default -> ended.failedDuring() ? ExitCodes.FAILED_DURING : ExitCodes.FAILED_BEFORE;
        };
    }

    private int deleted(ExecutionView asked) {
        surroundings
                .terminal()
                .err()
                .println(Printable.line("execution %s was deleted before it ended".formatted(asked.shortName())));
        return ExitCodes.NOT_FOUND;
    }

    private void detach(ProgressLine line, ExecutionView asked) {
        line.close();
        surroundings
                .terminal()
                .err()
                .println(Printable.line(
                        "no longer waiting; execution %s goes on. To come back: escapement describe execution %s, escapement logs -f %s; to stop it: escapement cancel %s"
                                .formatted(
                                        asked.shortName(),
                                        NextSteps.qualified(asked.shortName()),
                                        NextSteps.qualified(asked.shortName()),
                                        NextSteps.qualified(asked.shortName()))));
        surroundings.terminal().err().flush();
    }

    private void say(String text) {
        surroundings.terminal().line(text);
    }
}
