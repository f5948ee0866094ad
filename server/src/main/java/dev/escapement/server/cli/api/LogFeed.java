package dev.escapement.server.cli.api;

import dev.escapement.backoff.Backoff;
import dev.escapement.server.cli.api.ApiFailure.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The output of a run, from its beginning. A connection that is lost is made again, from the byte where it was lost.
 */
public final class LogFeed {

    private static final Backoff BACKOFF = Backoff.builder()
            .base(Duration.ofMillis(250))
            .max(Duration.ofSeconds(10))
            .build();

    private static final String NEXT = "X-Escapement-Next";
    private static final int ATTEMPTS = 14;
    private static final int CHARACTERS = 8_192;

    private final ApiClient api;
    private final Resource logs;
    private final Pause pause;

    /** Bytes that were read. */
    private long from;

    public LogFeed(ApiClient api, Resource logs, Pause pause) {
        this.api = api;
        this.logs = logs;
        this.pause = pause;
    }

    /** Hands over text until there is no more of it, or with {@code follow} until the run has ended. */
    public void read(boolean follow, Consumer<String> sink) {
        if (follow) {
            follow(sink);
        } else {
            // An answer holds a part; where the next one begins is said in a header.
            for (long before = -1; from > before; ) {
                before = from;
                if (!readOnce(false, sink)) {
                    throw lost();
                }
            }
        }
    }

    private void follow(Consumer<String> sink) {
        int failures = 0;
        while (true) {
            long before = from;
            try {
                if (readOnce(true, sink)) {
                    return;
                }
            } catch (ApiFailure failure) {
                if (from == 0 || !failure.is(Kind.UNREACHABLE)) {
                    throw failure;
                }
            }
            failures = from > before ? 1 : failures + 1;
            if (failures > ATTEMPTS) {
                throw lost();
            }
            await(BACKOFF.delay(failures));
        }
    }

    /** Returns whether the answer came to its end. */
    private boolean readOnce(boolean follow, Consumer<String> sink) {
        HttpResponse<InputStream> response = api.open(
                logs.with("from", Long.toString(from)).with("follow", Boolean.toString(follow)),
                Map.of("Accept", "text/plain"));
        try (CountedStream bytes = new CountedStream(response.body());
                Reader reader = new InputStreamReader(bytes, StandardCharsets.UTF_8)) {
            char[] characters = new char[CHARACTERS];
            long start = from;
            for (int read = reader.read(characters); read >= 0; read = reader.read(characters)) {
                sink.accept(new String(characters, 0, read));
                from = start + bytes.count();
            }
            if (!follow) {
                from = response.headers().firstValueAsLong(NEXT).orElse(start);
            }
            return true;
        } catch (IOException cut) {
            return false;
        }
    }

    private ApiFailure lost() {
        return new ApiFailure(Kind.UNREACHABLE, "the connection to " + api.address() + " was lost in the middle");
    }

    private void await(Duration wait) {
        try {
            pause.of(wait);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ApiFailure(Kind.UNREACHABLE, "interrupted");
        }
    }
}
