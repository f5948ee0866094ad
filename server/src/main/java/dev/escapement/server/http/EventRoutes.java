package dev.escapement.server.http;

import dev.escapement.engine.port.Journal;
import dev.escapement.governor.SafeText;
import dev.escapement.server.events.Event;
import dev.escapement.server.events.Feed;
import dev.escapement.server.events.Listener;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Live news as server-sent events. */
final class EventRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(EventRoutes.class);
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);
    private static final int BATCH = 200;
    private static final int LONGEST_QUOTE = 100;

    private final Feed feed;
    private final Streams streams;

    EventRoutes(Feed feed, Streams streams) {
        this.feed = feed;
        this.streams = streams;
    }

    List<Route> routes() {
        return List.of(Route.get("/api/v1/events", this::events));
    }

    private void events(Context context) {
        Params.refuseStrangers(context, Set.of("after", "follow"));
        boolean follow = context.queryParam("follow") == null || Params.truth(context, "follow");
        String start = start(context);
        List<Event> first;
        try {
            first = feed.after(start, BATCH);
        } catch (IllegalArgumentException noPosition) {
            throw Problem.badRequest("after is %s: it must be empty or the id of an event"
                    .formatted(SafeText.quote(start, LONGEST_QUOTE)));
        }
        streams.open(context, () -> tell(context, start, first, follow));
    }

    /** After what; the header is what a browser sends when it connects again, and is the newer word. */
    private String start(Context context) {
        return Optional.ofNullable(context.header("Last-Event-ID"))
                .filter(id -> !id.isEmpty())
                .or(() -> Optional.ofNullable(context.queryParam("after")))
                .map(after -> after.isEmpty() ? Journal.START : after)
                .orElseGet(feed::position);
    }

    private void tell(Context context, String start, List<Event> first, boolean follow) throws IOException {
        context.res().setStatus(200);
        context.res().setContentType("text/event-stream");
        context.res().setCharacterEncoding("UTF-8");
        OutputStream out = context.res().getOutputStream();
        try (Listener listener = feed.listen()) {
            // What was appended before anybody listened wakes nobody up, and a first part may not be all.
            String position = catchUp(out, send(out, start, first));
            out.write(COMMENT);
            out.flush();
            while (follow && listener.await(HEARTBEAT)) {
                List<Event> news = feed.after(position, BATCH);
                List<Event> progress = listener.progress();
                if (news.isEmpty() && progress.isEmpty()) {
                    out.write(COMMENT);
                }
                position = catchUp(out, send(out, position, news));
                send(out, position, progress);
                out.flush();
            }
        } catch (IOException gone) {
            LOG.debug("a listener is gone or did not read: {}", gone.toString());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private String catchUp(OutputStream out, String position) throws IOException {
        String reached = position;
        for (List<Event> news = feed.after(reached, BATCH); !news.isEmpty(); news = feed.after(reached, BATCH)) {
            reached = send(out, reached, news);
        }
        return reached;
    }

    private static String send(OutputStream out, String position, List<Event> events) throws IOException {
        String last = position;
        for (Event event : events) {
            out.write(event.bytes());
            last = event.id().isEmpty() ? last : event.id();
        }
        return last;
    }
}
