package dev.escapement.server.http.execution;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.RunLogs;
import dev.escapement.engine.port.Versioned;
import dev.escapement.server.events.FeedSubscription;
import dev.escapement.server.events.JournalFeed;
import dev.escapement.server.http.QueryParams;
import dev.escapement.server.http.ResponseStreams;
import dev.escapement.server.http.Route;
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

/** What runs have printed, at once or as it comes. */
public final class ExecutionLogRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(ExecutionLogRoutes.class);

    /** Where to go on reading. */
    static final String NEXT_HEADER = "X-Escapement-Next";

    private static final int CHUNK_SIZE = 64 << 10;
    private static final int MAX_RESPONSE_LENGTH = 1 << 20;

    /** A run's output is a file that others write: nobody tells of a new line. Only while somebody watches. */
    private static final long POLL_MILLIS = 200;

    /** A follower who waits for the run to begin hears of it; this is only for connections that have gone. */
    private static final Duration RUN_WAIT_INTERVAL = Duration.ofSeconds(15);

    private final ExecutionQueries directory;
    private final RunLogs logs;
    private final JournalFeed feed;
    private final ResponseStreams streams;

    public ExecutionLogRoutes(ExecutionQueries directory, RunLogs logs, JournalFeed feed, ResponseStreams streams) {
        this.directory = directory;
        this.logs = logs;
        this.feed = feed;
        this.streams = streams;
    }

    public List<Route> routes() {
        return List.of(Route.get("/api/v1/executions/{name}/logs", this::getLogs));
    }

    private void getLogs(Context context) {
        QueryParams.rejectUnknown(context, Set.of("namespace", "from", "follow"));
        long from = QueryParams.readNumber(context, "from", 0, 0, Long.MAX_VALUE);
        boolean follow = QueryParams.readBoolean(context, "follow");
        Execution execution = find(context).orElseThrow(() -> ExecutionRoutes.notFound(context));
        context.contentType("text/plain; charset=utf-8");
        if (follow) {
            streams.open(context, () -> follow(context, execution, from));
        } else {
            writeCurrent(context, execution, from);
        }
    }

    private Optional<Execution> find(Context context) {
        return directory
                .findExecution(QueryParams.namespace(context), context.pathParam("name"))
                .map(Versioned::value);
    }

    private void writeCurrent(Context context, Execution execution, long from) {
        StringBuilder text = new StringBuilder();
        long next = from;
        Optional<RunRef> run = runOf(execution);
        boolean more = run.isPresent();
        while (more && text.length() < MAX_RESPONSE_LENGTH) {
            RunLogs.Chunk chunk = logs.read(run.get(), next, CHUNK_SIZE);
            text.append(chunk.text());
            more = !chunk.ended() && chunk.nextOffset() > next;
            next = chunk.nextOffset();
        }
        context.header(NEXT_HEADER, Long.toString(next)).result(text.toString());
    }

    private void follow(Context context, Execution first, long from) throws IOException {
        context.res().setStatus(200);
        context.res().setContentType("text/plain; charset=utf-8");
        context.res().setHeader(NEXT_HEADER, Long.toString(from));
        OutputStream out = context.res().getOutputStream();
        out.flush();
        try (FeedSubscription listener = feed.subscribe()) {
            Optional<RunRef> run = runOf(first);
            boolean over = first.status() instanceof ExecutionStatus.Final;
            while (run.isEmpty() && !over && listener.await(RUN_WAIT_INTERVAL)) {
                Optional<Execution> now = find(context);
                run = now.flatMap(ExecutionLogRoutes::runOf);
                over = now.isEmpty() || now.get().status() instanceof ExecutionStatus.Final;
                context.res().flushBuffer();
            }
            if (run.isPresent()) {
                copyLog(run.get(), from, out);
            }
        } catch (IOException gone) {
            LOG.debug("a follower of {} is gone or did not read: {}", first.ref(), gone.toString());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private void copyLog(RunRef run, long from, OutputStream out) throws IOException, InterruptedException {
        RunLogs.Chunk chunk = logs.read(run, from, CHUNK_SIZE);
        boolean goOn = true;
        while (goOn) {
            out.write(chunk.text().getBytes(StandardCharsets.UTF_8));
            out.flush();
            boolean pause = chunk.text().isEmpty();
            goOn = !chunk.ended() && (!pause || streams.pause(POLL_MILLIS));
            chunk = goOn ? logs.read(run, chunk.nextOffset(), CHUNK_SIZE) : chunk;
        }
    }

    private static Optional<RunRef> runOf(Execution execution) {
        ExecutionStatus status = execution.status();
        if (status instanceof ExecutionStatus.Running running) {
            return Optional.of(running.run());
        } else if (status instanceof ExecutionStatus.Completed completed) {
            return Optional.of(completed.run());
        } else if (status instanceof ExecutionStatus.Failed failed) {
            return failed.run();
        }
        return Optional.empty();
    }
}
