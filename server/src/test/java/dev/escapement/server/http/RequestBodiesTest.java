package dev.escapement.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.document.DocumentParser;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A body that arrives slowly occupies a thread for a limited time. */
class RequestBodiesTest {

    private final AtomicLong ticks = new AtomicLong();
    private final CountDownLatch firstPartIsRead = new CountDownLatch(2);
    private final TestRouteServer api = new TestRouteServer(List.of(Route.post("/echo", this::echo)));

    @AfterEach
    void stop() {
        api.close();
    }

    /** Two reads of the clock are within the timeout, three are not. */
    private long readTicker() {
        firstPartIsRead.countDown();
        return ticks.getAndAdd(
                RequestBodies.READ_TIMEOUT.multipliedBy(2).dividedBy(3).toNanos());
    }

    private void echo(ApiRequest request) throws IOException {
        request.respond(
                200, new RequestBodies(1_000, "limit", this::readTicker).read(request.context(), DocumentParser::read));
    }

    @Test
    void acceptsBodyThatArrivesInTime() {
        assertThat(api.post("/echo", "{\"a\":1}").statusCode()).isEqualTo(200);
    }

    @Test
    void refusesBodyThatArrivesTooSlowly() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
            socket.setSoTimeout(60_000);
            OutputStream out = socket.getOutputStream();
            send(out, """
                    POST /echo HTTP/1.1\r
                    Host: localhost\r
                    Content-Type: application/json\r
                    Content-Length: 100\r
                    \r
                    {""");
            assertThat(firstPartIsRead.await(60, TimeUnit.SECONDS)).isTrue();
            send(out, "\"a\"");
            String answer = new String(socket.getInputStream().readNBytes(600), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 408 ").contains("the body took longer than 10 s to arrive");
        }
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
