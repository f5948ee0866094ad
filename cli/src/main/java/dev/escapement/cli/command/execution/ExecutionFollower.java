package dev.escapement.cli.command.execution;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.EventFeed;
import dev.escapement.cli.client.ServerEvent;
import dev.escapement.cli.command.ChangeWatcher;
import dev.escapement.cli.output.ExecutionJsonView;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Stays with an execution: looks whenever something happened to it, until it has ended or is gone. */
public final class ExecutionFollower implements EventFeed.Listener {
    private final ApiClient api;
    private final ExecutionJsonView submitted;
    private final Consumer<String> progressListener;
    private Optional<ExecutionJsonView> latest = Optional.empty();

    /** Tells the line, in words, how far it is. */
    public ExecutionFollower(ApiClient api, ExecutionJsonView asked, Consumer<String> line) {
        this.api = api;
        this.submitted = asked;
        this.progressListener = line;
    }

    /** How it ended; empty if it was deleted. */
    public Optional<ExecutionJsonView> finishedExecution() {
        return latest.filter(ExecutionJsonView::isFinished);
    }

    @Override
    public boolean onConnected() {
        return refresh();
    }

    @Override
    public boolean onEvent(ServerEvent event) {
        if (!event.isAbout(submitted.uid())) {
            return false;
        }
        if (event.type().equals(ServerEvent.PROGRESS)) {
            JsonNode run = event.data().path("pipelineRunStatus");
            progressListener.accept(progressText(
                    "Running",
                    ExecutionJsonView.progress(run),
                    run.path("message").asText()));
            return false;
        }
        return refresh();
    }

    @Override
    public void onConnectionLost(Duration wait) {
        progressListener.accept("the connection is lost, trying again");
    }

    /** Returns whether there is nothing more to wait for: it has ended, or is gone. */
    private boolean refresh() {
        latest = ChangeWatcher.emptyIfNotFound(() -> api.get(
                        ApiPath.of("executions", submitted.name()).withParameter("namespace", submitted.namespace())))
                .map(ExecutionJsonView::new)
                .filter(now -> now.uid().equals(submitted.uid()));
        latest.ifPresent(now -> progressListener.accept(
                progressText(now.phase(), now.progress(), now.hasPhase("Running") ? now.message() : "")));
        return latest.map(ExecutionJsonView::isFinished).orElse(true);
    }

    private static String progressText(String phase, String progress, String message) {
        return phase + (progress.isEmpty() ? "" : " " + progress) + (message.isEmpty() ? "" : " " + message);
    }
}
