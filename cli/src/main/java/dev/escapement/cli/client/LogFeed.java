package dev.escapement.cli.client;

import dev.escapement.cli.client.ApiException.Kind;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;

/** Reads the output of a run from its beginning. Reconnects after a lost connection and resumes at the last byte. */
public final class LogFeed {

    private static final String NEXT_OFFSET_HEADER = "X-Escapement-Next";
    private static final int BUFFER_SIZE = 8_192;

    private final ApiClient api;
    private final ApiPath logsPath;
    private final Sleeper sleeper;

    /** Number of bytes read. */
    private long offset;

    public LogFeed(ApiClient api, ApiPath logsPath, Sleeper sleeper) {
        this.api = api;
        this.logsPath = logsPath;
        this.sleeper = sleeper;
    }

    /** Delivers the output up to its current end, or with {@code follow} until the run has ended. */
    public void read(boolean follow, Consumer<String> sink) {
        if (follow) {
            follow(sink);
        } else {
            // A response holds one part; its header has the offset of the next.
            for (long before = -1; offset > before; ) {
                before = offset;
                if (!readOnce(false, sink)) {
                    throw api.connectionLost();
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
            if (failures > Sleeper.MAX_RECONNECTS) {
                throw api.connectionLost();
            }
            sleeper.sleepBeforeReconnect(failures);
        }
    }

    /** Returns whether the response was complete. */
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
                offset = start + bytes.count;
            }
            if (!follow) {
                offset = response.headers().firstValueAsLong(NEXT_OFFSET_HEADER).orElse(start);
            }
            return true;
        } catch (IOException connectionLost) {
            return false;
        }
    }

    /** Counts the bytes read. */
    private static final class CountingInputStream extends FilterInputStream {

        private long count;

        CountingInputStream(InputStream in) {
            super(in);
        }

        /** The only method that an {@link InputStreamReader} reads with. */
        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int read = super.read(buffer, offset, length);
            count += Math.max(0, read);
            return read;
        }
    }
}
