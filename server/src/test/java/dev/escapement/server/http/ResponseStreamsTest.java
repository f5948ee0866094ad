package dev.escapement.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.testkit.ConditionPoller;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Streams that are requested at the same time do not exceed the limit; those above it get 503. */
class ResponseStreamsTest {

    private static final int LIMIT = 128;
    /** As many as one client can have processed at the same time. */
    private static final int CONCURRENT = 16;

    private static final int FREE = 8;

    private final CountDownLatch end = new CountDownLatch(1);
    private final CyclicBarrier barrier = new CyclicBarrier(CONCURRENT);
    private final ResponseStreams streams = new ResponseStreams();
    private final HttpClient client = HttpClient.newHttpClient();

    /** A stream starts only after its handler has returned: here all handlers have asked for one by then. */
    private void openTogether(ApiRequest request) throws Exception {
        try {
            streams.open(request.context(), end::await);
        } finally {
            barrier.await(60, TimeUnit.SECONDS);
        }
    }

    private List<CompletableFuture<Integer>> send(TestRouteServer api, String path, int count) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + path))
                .build();
        return Stream.generate(() -> client.sendAsync(request, BodyHandlers.discarding())
                        .thenApply(response -> response.statusCode()))
                .limit(count)
                .toList();
    }

    @Test
    void rejectsConcurrentRequestsAboveLimit() {
        Route single = Route.get("/single", request -> streams.open(request.context(), end::await));
        Route together = Route.get("/together", this::openTogether);
        try (TestRouteServer api = new TestRouteServer(List.of(single, together))) {
            List<CompletableFuture<Integer>> first = send(api, "/single", LIMIT - FREE);
            ConditionPoller.await("the first streams are open", () -> streams.openCount() == LIMIT - FREE);
            List<CompletableFuture<Integer>> more = send(api, "/together", CONCURRENT);
            ConditionPoller.await(
                    "the others were rejected", () -> count(more).getOrDefault(503, 0L) == CONCURRENT - FREE);
            end.countDown();
            first.forEach(CompletableFuture::join);
            more.forEach(CompletableFuture::join);
            assertThat(count(more)).isEqualTo(Map.of(200, (long) FREE, 503, (long) (CONCURRENT - FREE)));
            assertThat(count(first)).isEqualTo(Map.of(200, (long) (LIMIT - FREE)));
            ConditionPoller.await("all slots are free", () -> streams.openCount() == 0);
        }
        streams.close();
    }

    private static Map<Integer, Long> count(List<CompletableFuture<Integer>> responses) {
        return responses.stream()
                .filter(CompletableFuture::isDone)
                .map(CompletableFuture::join)
                .collect(Collectors.groupingBy(status -> status, Collectors.counting()));
    }
}
