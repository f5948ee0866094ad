package dev.escapement.server.http.system;

import dev.escapement.common.SafeText;
import dev.escapement.engine.port.Journal;
import dev.escapement.server.events.JournalFeed;
import dev.escapement.server.http.ApiRequest;
import dev.escapement.server.http.HttpProblem;
import dev.escapement.server.http.ResponseStreams;
import dev.escapement.server.http.Route;
import dev.escapement.server.http.access.Right;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The route that streams the journal and progress as server-sent events. */
public record EventRoutes(JournalFeed feed, ResponseStreams streams) {

    private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(15);
    private static final byte[] HEARTBEAT_COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);
    private static final int BATCH_SIZE = 200;
    private static final int MAX_QUOTE_LENGTH = 100;

    public List<Route> routes() {
        return List.of(Route.get("/api/v1/events", this::openStream, "after", "follow"));
    }

    private void openStream(ApiRequest request) {
        streams.rejectIfFull();
        Context context = request.context();
        boolean follow = context.queryParam("follow") == null || request.flag("follow");
        String start = startPosition(context);
        List<JournalFeed.Event> first;
        try {
            first = feed.readAfter(start, BATCH_SIZE);
        } catch (IllegalArgumentException invalidPosition) {
            throw HttpProblem.badRequest("after is %s: it must be empty or the id of an event"
                    .formatted(SafeText.quote(start, MAX_QUOTE_LENGTH)));
        }
        streams.open(context, () -> stream(request, start, first, follow));
    }

    /** The header, which a browser sends when it reconnects, takes precedence over the parameter. */
    private String startPosition(Context context) {
        return Optional.ofNullable(context.header("Last-Event-ID"))
                .filter(id -> !id.isEmpty())
                .or(() -> Optional.ofNullable(context.queryParam("after")))
                .map(after -> after.isEmpty() ? Journal.START : after)
                .orElseGet(feed::position);
    }

    private void stream(ApiRequest request, String start, List<JournalFeed.Event> first, boolean follow)
            throws IOException, InterruptedException {
        Context context = request.context();
        context.res().setStatus(200);
        context.res().setContentType("text/event-stream");
        context.res().setCharacterEncoding("UTF-8");
        OutputStream out = context.res().getOutputStream();
        try (JournalFeed.Subscription subscription = feed.subscribe()) {
            // Entries appended before the subscription do not wake it, and the first batch may be incomplete.
            String position = catchUp(out, send(out, start, first));
            out.write(HEARTBEAT_COMMENT);
            out.flush();
            while (follow && subscription.await(HEARTBEAT_INTERVAL) && request.isStillAllowed(Right.VIEW)) {
                List<JournalFeed.Event> events = feed.readAfter(position, BATCH_SIZE);
                List<JournalFeed.Event> progress = subscription.drainProgress();
                if (events.isEmpty() && progress.isEmpty()) {
                    out.write(HEARTBEAT_COMMENT);
                }
                position = catchUp(out, send(out, position, events));
                send(out, position, progress);
                out.flush();
            }
        }
    }

    private String catchUp(OutputStream out, String position) throws IOException {
        String reached = position;
        List<JournalFeed.Event> events = feed.readAfter(reached, BATCH_SIZE);
        while (!events.isEmpty()) {
            reached = send(out, reached, events);
            events = feed.readAfter(reached, BATCH_SIZE);
        }
        return reached;
    }

    private static String send(OutputStream out, String position, List<JournalFeed.Event> events) throws IOException {
        String last = position;
        for (JournalFeed.Event event : events) {
            out.write(event.encode());
            last = event.id().isEmpty() ? last : event.id();
        }
        return last;
    }
}
