package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.EventFeed;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.api.ServerEvent;
import dev.escapement.server.cli.view.ExecutionView;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Stays with an execution: looks whenever something happened to it, until it has ended or is gone. */
final class Companion implements EventFeed.Watcher {
    private final ApiClient api;
    private final ExecutionView asked;
    private final Consumer<String> line;
    private Optional<ExecutionView> last = Optional.empty();

    /** Tells the line, in words, how far it is. */
    Companion(ApiClient api, ExecutionView asked, Consumer<String> line) {
        this.api = api;
        this.asked = asked;
        this.line = line;
    }

    /** How it ended; empty if it was deleted. */
    Optional<ExecutionView> ended() {
        return last.filter(ExecutionView::isFinal);
    }

    @Override
    public boolean connected() {
        return look();
    }

    @Override
    public boolean event(ServerEvent event) {
        if (!event.isAbout(asked.uid())) {
            return false;
        }
        if (event.type().equals(ServerEvent.PROGRESS)) {
            JsonNode run = event.data().path("pipelineRunStatus");
            line.accept(text(
                    "Running", ExecutionView.progress(run), run.path("message").asText()));
            return false;
        }
        return look();
    }

    @Override
    public void lost(Duration wait) {
        line.accept("the connection is lost, trying again");
    }

    /** Returns whether there is nothing more to wait for: it has ended, or is gone. */
    private boolean look() {
        last = Watch.unlessGone(
                        () -> api.get(Resource.of("executions", asked.name()).with("namespace", asked.namespace())))
                .map(ExecutionView::new)
                .filter(now -> now.uid().equals(asked.uid()));
        last.ifPresent(now -> line.accept(text(now.phase(), now.progress(), now.is("Running") ? now.message() : "")));
        return last.map(ExecutionView::isFinal).orElse(true);
    }

    private static String text(String phase, String progress, String message) {
        return phase + (progress.isEmpty() ? "" : " " + progress) + (message.isEmpty() ? "" : " " + message);
    }
}
