package dev.escapement.endpoints.call;

import static dev.escapement.endpoints.call.Calls.addresses;
import static dev.escapement.endpoints.call.Calls.answer;
import static dev.escapement.endpoints.call.Calls.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.call.Answer.Failure;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ConnectionsTest {

    private static final DispatchLimits IMPATIENT = new DispatchLimits(
            1, 10, Duration.ofSeconds(5), Duration.ofMillis(100), 1 << 20, 16 << 10, 2048, 4, 1, "Escapement/test");

    private static HttpDispatcher impatient() {
        return HttpDispatcher.open(IMPATIENT, AllowList.parse("127.0.0.1"), Calls.NO_NAMES, Calls.CLOCK);
    }

    @Test
    void aConnectionWithoutCallsIsClosed() {
        CompletableFuture<Integer> end = new CompletableFuture<>();
        RawServer.Script waits = (request, in, out) -> {
            out.write(RawServer.ok("").getBytes(UTF_8));
            end.complete(in.read());
            return false;
        };
        try (RawServer server = RawServer.on("127.0.0.1", 0, waits);
                HttpDispatcher dispatcher = impatient()) {
            assertThat(answer(dispatcher, get(server.url())).isSuccess()).isTrue();
            assertThat(Calls.await(end)).isEqualTo(-1);
        }
    }

    @Test
    void aCallMayThinkLongerThanAConnectionIsKept() {
        RawServer.Script thinks = (request, in, out) -> {
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
            out.write(RawServer.ok("thought").getBytes(UTF_8));
            return true;
        };
        try (RawServer server = RawServer.on("127.0.0.1", 0, thinks);
                HttpDispatcher dispatcher = impatient()) {
            assertThat(answer(dispatcher, get(server.url())).excerpt()).isEqualTo("thought");
            assertThat(answer(dispatcher, get(server.url())).excerpt()).isEqualTo("thought");
        }
    }

    @Test
    void cookiesAreForgotten() {
        RawServer.Script sets = (request, in, out) -> {
            out.write("HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n".getBytes(UTF_8));
            return true;
        };
        try (RawServer server = RawServer.on("127.0.0.1", 0, sets);
                HttpDispatcher dispatcher = impatient()) {
            answer(dispatcher, get(server.url()));
            answer(dispatcher, get(server.url()));
            assertThat(server.requests()).hasSize(2).noneMatch(request -> request.contains("Cookie"));
        }
    }

    @Test
    void ifOneAddressOfANameIsDeadTheNextIsTried() {
        try (RawServer server = RawServer.saying(RawServer.ok("alive"));
                HttpDispatcher dispatcher = Calls.open("127.0.0.0/8", name -> addresses("127.0.0.3", "127.0.0.1"))) {
            assertThat(answer(dispatcher, get("http://two.test:" + server.port() + "/"))
                            .excerpt())
                    .isEqualTo("alive");
        }
    }

    @Test
    void nobodyListening() throws IOException {
        int port;
        try (ServerSocket shortLived = new ServerSocket(0)) {
            port = shortLived.getLocalPort();
        }
        try (HttpDispatcher dispatcher = impatient()) {
            Answer answer = answer(dispatcher, get("http://127.0.0.1:" + port + "/"));
            assertThat(answer.failure()).contains(Failure.CONNECTION);
            assertThat(answer.error()).isEqualTo("127.0.0.1 takes no connections: Connection refused");
        }
    }

    @Test
    void aNameThatLeadsNowhere() {
        try (HttpDispatcher dispatcher = Calls.open("")) {
            Answer answer = answer(dispatcher, get("http://nowhere.test/?token=hush"));
            assertThat(answer).isEqualTo(Answer.failed(Failure.UNKNOWN_HOST, "the name nowhere.test leads nowhere"));
        }
        try (HttpDispatcher dispatcher = Calls.open("", name -> addresses())) {
            assertThat(answer(dispatcher, get("http://nowhere.test/")).failure())
                    .contains(Failure.UNKNOWN_HOST);
        }
    }

    @Test
    void aResolverThatBreaksHurtsOnlyItsCall() {
        Resolver broken = name -> {
            if (name.equals("good.test")) {
                return addresses("127.0.0.1");
            }
            throw new IllegalStateException("a test throws this");
        };
        try (RawServer server = RawServer.saying(RawServer.ok("fine"));
                HttpDispatcher dispatcher = Calls.open("127.0.0.1", broken)) {
            assertThat(answer(dispatcher, get("http://bad.test/")).failure()).contains(Failure.CONNECTION);
            assertThat(answer(dispatcher, get("http://good.test:" + server.port() + "/"))
                            .excerpt())
                    .isEqualTo("fine");
        }
    }
}
