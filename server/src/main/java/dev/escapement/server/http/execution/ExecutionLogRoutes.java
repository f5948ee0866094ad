package dev.escapement.server.http.execution;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.RunLogs;
import dev.escapement.engine.port.Versioned;
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

/** The route that returns or follows the output of an execution's run. */
public record ExecutionLogRoutes(ExecutionRoutes.Backend executions, JournalFeed feed, ResponseStreams streams) {

    /** Response header with the offset from which to read next. */
    static final String NEXT_HEADER = "X-Escapement-Next";

    private static final int CHUNK_SIZE = 64 << 10;
    private static final int MAX_RESPONSE_LENGTH = 1 << 20;

    /** The output is a file written by another process, which sends no notification. Polled only while followed. */
    private static final long POLL_MILLIS = 200;

    /** The start of the run wakes the follower; this interval only detects closed connections. */
    private static final Duration RUN_WAIT_INTERVAL = Duration.ofSeconds(15);

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
        return executions
                .queries()
                .findExecution(QueryParams.namespace(context), context.pathParam("name"))
                .map(Versioned::value);
    }

    private void writeCurrent(Context context, Execution execution, long from) {
        StringBuilder text = new StringBuilder();
        long next = from;
        Optional<RunRef> run = execution.status().runRef();
        boolean more = run.isPresent();
        while (more && text.length() < MAX_RESPONSE_LENGTH) {
            RunLogs.Chunk chunk = executions.logs().read(run.get(), next, CHUNK_SIZE);
            text.append(chunk.text());
            more = !chunk.ended() && chunk.nextOffset() > next;
            next = chunk.nextOffset();
        }
        context.header(NEXT_HEADER, Long.toString(next)).result(text.toString());
    }

    private void follow(Context context, Execution first, long from) throws IOException, InterruptedException {
        context.res().setStatus(200);
        context.res().setContentType("text/plain; charset=utf-8");
        context.res().setHeader(NEXT_HEADER, Long.toString(from));
        OutputStream out = context.res().getOutputStream();
        out.flush();
        try (JournalFeed.Subscription listener = feed.subscribe()) {
            Optional<RunRef> run = first.status().runRef();
            boolean finished = first.status() instanceof ExecutionStatus.Final;
            while (run.isEmpty() && !finished && listener.await(RUN_WAIT_INTERVAL)) {
                Optional<Execution> current = find(context);
                run = current.flatMap(execution -> execution.status().runRef());
                finished = current.isEmpty() || current.get().status() instanceof ExecutionStatus.Final;
                context.res().flushBuffer();
            }
            if (run.isPresent()) {
                copyLog(run.get(), from, out);
            }
        }
    }

    private void copyLog(RunRef run, long from, OutputStream out) throws IOException, InterruptedException {
        RunLogs.Chunk chunk = executions.logs().read(run, from, CHUNK_SIZE);
        boolean more = true;
        while (more) {
            out.write(chunk.text().getBytes(StandardCharsets.UTF_8));
            out.flush();
            boolean caughtUp = chunk.text().isEmpty();
            more = !chunk.ended() && (!caughtUp || streams.pause(POLL_MILLIS));
            chunk = more ? executions.logs().read(run, chunk.nextOffset(), CHUNK_SIZE) : chunk;
        }
    }
}
