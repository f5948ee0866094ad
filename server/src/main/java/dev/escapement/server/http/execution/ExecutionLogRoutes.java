package dev.escapement.server.http.execution;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.RunLogs;
import dev.escapement.engine.port.Versioned;
import dev.escapement.server.events.JournalFeed;
import dev.escapement.server.http.ApiRequest;
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
        return List.of(Route.get("/api/v1/executions/{name}/logs", this::getLogs, "namespace", "from", "follow"));
    }

    private void getLogs(ApiRequest request) {
        long from = request.number("from", 0, 0, Long.MAX_VALUE);
        boolean follow = request.flag("follow");
        Execution execution = find(request).orElseThrow(() -> ExecutionRoutes.notFound(request));
        request.context().contentType("text/plain; charset=utf-8");
        if (follow) {
            streams.open(request.context(), () -> follow(request, execution, from));
        } else {
            writeCurrent(request.context(), execution, from);
        }
    }

    private Optional<Execution> find(ApiRequest request) {
        return executions
                .queries()
                .findExecution(request.namespace(), request.pathParameter("name"))
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

    private void follow(ApiRequest request, Execution first, long from) throws IOException, InterruptedException {
        var response = request.context().res();
        response.setStatus(200);
        response.setContentType("text/plain; charset=utf-8");
        response.setHeader(NEXT_HEADER, Long.toString(from));
        OutputStream out = response.getOutputStream();
        out.flush();
        try (JournalFeed.Subscription listener = feed.subscribe()) {
            Optional<RunRef> run = first.status().runRef();
            boolean finished = first.status() instanceof ExecutionStatus.Final;
            while (run.isEmpty()
                    && !finished
                    && listener.await(RUN_WAIT_INTERVAL)
                    && request.isStillAllowed(Right.VIEW)) {
                Optional<Execution> current = find(request);
                run = current.flatMap(execution -> execution.status().runRef());
                finished = current.isEmpty() || current.get().status() instanceof ExecutionStatus.Final;
                response.flushBuffer();
            }
            if (run.isPresent()) {
                copyLog(request, run.get(), from, out);
            }
        }
    }

    private void copyLog(ApiRequest request, RunRef run, long from, OutputStream out)
            throws IOException, InterruptedException {
        RunLogs.Chunk chunk = executions.logs().read(run, from, CHUNK_SIZE);
        boolean more = true;
        while (more && request.isStillAllowed(Right.VIEW)) {
            out.write(chunk.text().getBytes(StandardCharsets.UTF_8));
            out.flush();
            boolean caughtUp = chunk.text().isEmpty();
            more = !chunk.ended() && (!caughtUp || streams.pause(POLL_MILLIS));
            chunk = more ? executions.logs().read(run, chunk.nextOffset(), CHUNK_SIZE) : chunk;
        }
    }
}
