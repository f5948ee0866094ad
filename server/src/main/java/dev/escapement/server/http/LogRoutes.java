package dev.escapement.server.http;

import dev.escapement.engine.execution.Execution;
import dev.escapement.engine.execution.ExecutionStatus;
import dev.escapement.engine.execution.RunRef;
import dev.escapement.engine.port.ExecutionQueries;
import dev.escapement.engine.port.RunLogs;
import dev.escapement.engine.port.Versioned;
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

/** What runs have printed, at once or as it comes. */
final class LogRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(LogRoutes.class);

    /** Where to go on reading. */
    static final String NEXT = "X-Escapement-Next";

    private static final int CHUNK = 64 << 10;
    private static final int MOST = 1 << 20;

    /** A run's output is a file that others write: nobody tells of a new line. Only while somebody watches. */
    private static final long LOOK_MILLIS = 200;

    /** A follower who waits for the run to begin hears of it; this is only for connections that have gone. */
    private static final Duration WAIT = Duration.ofSeconds(15);

    private final ExecutionQueries directory;
    private final RunLogs logs;
    private final Feed feed;
    private final Streams streams;

    LogRoutes(ExecutionQueries directory, RunLogs logs, Feed feed, Streams streams) {
        this.directory = directory;
        this.logs = logs;
        this.feed = feed;
        this.streams = streams;
    }

    List<Route> routes() {
        return List.of(Route.get("/api/v1/executions/{name}/logs", this::logs));
    }

    private void logs(Context context) {
        Params.refuseStrangers(context, Set.of("namespace", "from", "follow"));
        long from = Params.number(context, "from", 0, 0, Long.MAX_VALUE);
        boolean follow = Params.truth(context, "follow");
        Execution execution = find(context).orElseThrow(() -> ExecutionRoutes.unknown(context));
        context.contentType("text/plain; charset=utf-8");
        if (follow) {
            streams.open(context, () -> follow(context, execution, from));
        } else {
            now(context, execution, from);
        }
    }

    private Optional<Execution> find(Context context) {
        return directory
                .findExecution(Params.namespace(context), context.pathParam("name"))
                .map(Versioned::value);
    }

    private void now(Context context, Execution execution, long from) {
        StringBuilder text = new StringBuilder();
        long next = from;
        Optional<RunRef> run = run(execution);
        boolean more = run.isPresent();
        while (more && text.length() < MOST) {
            RunLogs.Chunk chunk = logs.read(run.get(), next, CHUNK);
            text.append(chunk.text());
            more = !chunk.ended() && chunk.nextOffset() > next;
            next = chunk.nextOffset();
        }
        context.header(NEXT, Long.toString(next)).result(text.toString());
    }

    private void follow(Context context, Execution first, long from) throws IOException {
        context.res().setStatus(200);
        context.res().setContentType("text/plain; charset=utf-8");
        context.res().setHeader(NEXT, Long.toString(from));
        OutputStream out = context.res().getOutputStream();
        out.flush();
        try (Listener listener = feed.listen()) {
            Optional<RunRef> run = run(first);
            boolean over = first.status() instanceof ExecutionStatus.Final;
            while (run.isEmpty() && !over && listener.await(WAIT)) {
                Optional<Execution> now = find(context);
                run = now.flatMap(LogRoutes::run);
                over = now.isEmpty() || now.get().status() instanceof ExecutionStatus.Final;
                context.res().flushBuffer();
            }
            if (run.isPresent()) {
                copy(run.get(), from, out);
            }
        } catch (IOException gone) {
            LOG.debug("a follower of {} is gone or did not read: {}", first.ref(), gone.toString());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private void copy(RunRef run, long from, OutputStream out) throws IOException, InterruptedException {
        RunLogs.Chunk chunk = logs.read(run, from, CHUNK);
        boolean goOn = true;
        while (goOn) {
            out.write(chunk.text().getBytes(StandardCharsets.UTF_8));
            out.flush();
            boolean pause = chunk.text().isEmpty();
            goOn = !chunk.ended() && (!pause || streams.pause(LOOK_MILLIS));
            chunk = goOn ? logs.read(run, chunk.nextOffset(), CHUNK) : chunk;
        }
    }

    private static Optional<RunRef> run(Execution execution) {
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
