package dev.escapement.cli.command.execution;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.EventFeed;
import dev.escapement.cli.client.EventFeed.ServerEvent;
import dev.escapement.cli.output.ExecutionView;
import java.util.Optional;
import java.util.function.Consumer;

/** Follows one execution through events until it has finished or is deleted. */
public final class ExecutionFollower {

    private final ApiClient api;
    private final ExecutionView submitted;
    private final Consumer<String> progressListener;
    private Optional<ExecutionView> latest = Optional.empty();

    /** Creates a follower; the listener receives phase, progress and message of each change. */
    public ExecutionFollower(ApiClient api, ExecutionView submitted, Consumer<String> progressListener) {
        this.api = api;
        this.submitted = submitted;
        this.progressListener = progressListener;
    }

    /** Returns the execution in its terminal phase; empty if it was deleted. */
    public Optional<ExecutionView> follow(EventFeed feed) {
        feed.follow(this::refresh, this::handle, () -> progressListener.accept("connection lost, reconnecting"));
        return latest.filter(ExecutionView::isFinished);
    }

    private boolean handle(ServerEvent event) {
        if (!event.isAbout(submitted.uid())) {
            return false;
        }
        if (event.type().equals(ServerEvent.PROGRESS)) {
            JsonNode run = event.data().path("pipelineRunStatus");
            String message = run.path("message").asText();
            progressListener.accept(progressText("Running", ExecutionView.progress(run), message));
            return false;
        }
        return refresh();
    }

    /** Returns whether the execution has finished or was deleted. */
    private boolean refresh() {
        latest = api.find(ApiPath.ofExecution(submitted.namespace(), submitted.name()))
                .map(ExecutionView::new)
                .filter(now -> now.uid().equals(submitted.uid()));
        latest.ifPresent(now -> progressListener.accept(
                progressText(now.phase(), now.progress(), now.isFinished() ? "" : now.message())));
        return latest.map(ExecutionView::isFinished).orElse(true);
    }

    private static String progressText(String phase, String progress, String message) {
        return phase + (progress.isEmpty() ? "" : " " + progress) + (message.isEmpty() ? "" : " " + message);
    }
}
