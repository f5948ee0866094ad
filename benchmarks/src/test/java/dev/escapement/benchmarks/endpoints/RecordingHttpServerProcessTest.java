package dev.escapement.benchmarks.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.crashtests.kit.RecordedCall;
import dev.escapement.crashtests.kit.RecordingHttpServerProcess;
import dev.escapement.endpoints.http.CallRequest;
import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.http.HttpCallDispatcher;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls the sink in its process with the HTTP client of the benchmark. */
class RecordingHttpServerProcessTest {

    private static CallResult call(HttpCallDispatcher dispatcher, int port, String path, String key, String body)
            throws Exception {
        CompletableFuture<CallResult> result = new CompletableFuture<>();
        CallRequest call = new CallRequest(
                "http://127.0.0.1:" + port + path,
                body.isEmpty() ? CallRequest.Method.GET : CallRequest.Method.POST,
                Map.of(),
                body,
                Duration.ofSeconds(30),
                Optional.empty());
        dispatcher.dispatch(call, key, result::complete);
        return result.get(60, TimeUnit.SECONDS);
    }

    @Test
    void recordsEveryCallWithItsKey(@TempDir Path folder) throws Exception {
        try (RecordingHttpServerProcess sink = new RecordingHttpServerProcess(folder, 2);
                HttpCallDispatcher dispatcher = BenchmarkCalls.newDispatcher(ConcurrencyLimits.DEFAULTS)) {
            assertThat(call(dispatcher, sink.ports().get(0), "/1", "e1-5", "").isSuccess())
                    .isTrue();
            sink.setDelay(20);
            assertThat(call(dispatcher, sink.ports().get(1), "/2", "e2-6", "x".repeat(9_000))
                            .isSuccess())
                    .isTrue();
            assertThat(sink.callCount()).isEqualTo(2);
            assertThat(sink.recordedCalls()).extracting(RecordedCall::path).containsExactly("/1", "/2");
            assertThat(sink.recordedCalls()).extracting(RecordedCall::key).containsExactly("e1-5", "e2-6");
            assertThat(sink.recordedCalls())
                    .extracting(RecordedCall::endpointNumber)
                    .containsExactly(1, 2);
            sink.clear();
            assertThat(sink.recordedCalls()).isEmpty();
        }
    }
}
