package dev.escapement.cli.client;

import dev.escapement.backoff.Backoff;
import dev.escapement.cli.client.ApiException.Kind;
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

    private static final String NEXT_OFFSET_HEADER = "X-Escapement-Next";
    private static final int MAX_ATTEMPTS = 14;
    private static final int BUFFER_SIZE = 8_192;

    private final ApiClient api;
    private final ApiPath logsPath;
    private final Sleeper sleeper;

    /** Bytes that were read. */
    private long offset;

    public LogFeed(ApiClient api, ApiPath logs, Sleeper pause) {
        this.api = api;
        this.logsPath = logs;
        this.sleeper = pause;
    }

    /** Hands over text until there is no more of it, or with {@code follow} until the run has ended. */
    public void read(boolean follow, Consumer<String> sink) {
        if (follow) {
            follow(sink);
        } else {
            // An answer holds a part; where the next one begins is said in a header.
            for (long before = -1; offset > before; ) {
                before = offset;
                if (!readOnce(false, sink)) {
                    throw connectionLost();
                }
            }
        }
    }

    private void follow(Consumer<String> sink) {
        int failures = 0;
        while (true) {
            long before = offset;
            try {
                if (readOnce(true, sink)) {
                    return;
                }
            } catch (ApiException failure) {
                if (offset == 0 || !failure.is(Kind.UNREACHABLE)) {
                    throw failure;
                }
            }
            failures = offset > before ? 1 : failures + 1;
            if (failures > MAX_ATTEMPTS) {
                throw connectionLost();
            }
            sleep(BACKOFF.delay(failures));
        }
    }

    /** Returns whether the answer came to its end. */
    private boolean readOnce(boolean follow, Consumer<String> sink) {
        HttpResponse<InputStream> response = api.openStream(
                logsPath.withParameter("from", Long.toString(offset)).withParameter("follow", Boolean.toString(follow)),
                Map.of("Accept", "text/plain"));
        try (CountingInputStream bytes = new CountingInputStream(response.body());
                Reader reader = new InputStreamReader(bytes, StandardCharsets.UTF_8)) {
            char[] characters = new char[BUFFER_SIZE];
            long start = offset;
            for (int read = reader.read(characters); read >= 0; read = reader.read(characters)) {
                sink.accept(new String(characters, 0, read));
                offset = start + bytes.count();
            }
            if (!follow) {
                offset = response.headers().firstValueAsLong(NEXT_OFFSET_HEADER).orElse(start);
            }
            return true;
        } catch (IOException cut) {
            return false;
        }
    }

    private ApiException connectionLost() {
        return new ApiException(Kind.UNREACHABLE, "the connection to " + api.address() + " was lost in the middle");
    }

    private void sleep(Duration wait) {
        try {
            sleeper.sleep(wait);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ApiException(Kind.UNREACHABLE, "interrupted");
        }
    }
}
