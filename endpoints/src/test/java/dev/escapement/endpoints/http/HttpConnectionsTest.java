package dev.escapement.endpoints.http;

import static dev.escapement.endpoints.http.TestCalls.call;
import static dev.escapement.endpoints.http.TestCalls.get;
import static dev.escapement.endpoints.http.TestCalls.parseAddresses;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.guard.AllowList;
import dev.escapement.endpoints.guard.DnsResolverPool.DnsResolver;
import dev.escapement.endpoints.http.CallResult.Failure;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class HttpConnectionsTest {

    private static final DispatchLimits SHORT_KEEP_ALIVE =
            new DispatchLimits(1, 10, Duration.ofMillis(100), 1 << 20, 2048, 1, "Escapement/test");

    private static HttpCallDispatcher openWithShortKeepAlive() {
        return HttpCallDispatcher.open(
                SHORT_KEEP_ALIVE, AllowList.parse("127.0.0.1"), TestCalls.UNKNOWN_HOST_RESOLVER, TestCalls.CLOCK);
    }

    @Test
    void closesIdleConnection() {
        CompletableFuture<Integer> end = new CompletableFuture<>();
        ScriptedServer.Script waits = (request, in, out) -> {
            out.write(ScriptedServer.okResponse("").getBytes(UTF_8));
            end.complete(in.read());
            return false;
        };
        try (ScriptedServer server = ScriptedServer.listen("127.0.0.1", 0, waits);
                HttpCallDispatcher dispatcher = openWithShortKeepAlive()) {
            assertThat(call(dispatcher, get(server.url())).isSuccess()).isTrue();
            assertThat(TestCalls.await(end)).isEqualTo(-1);
        }
    }

    @Test
    void allowsCallLongerThanKeepAlive() {
        ScriptedServer.Script thinks = (request, in, out) -> {
            LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
            out.write(ScriptedServer.okResponse("thought").getBytes(UTF_8));
            return true;
        };
        try (ScriptedServer server = ScriptedServer.listen("127.0.0.1", 0, thinks);
                HttpCallDispatcher dispatcher = openWithShortKeepAlive()) {
            assertThat(call(dispatcher, get(server.url())).excerpt()).isEqualTo("thought");
            assertThat(call(dispatcher, get(server.url())).excerpt()).isEqualTo("thought");
        }
    }

    @Test
    void doesNotKeepCookies() {
        ScriptedServer.Script sets = (request, in, out) -> {
            out.write("HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n".getBytes(UTF_8));
            return true;
        };
        try (ScriptedServer server = ScriptedServer.listen("127.0.0.1", 0, sets);
                HttpCallDispatcher dispatcher = openWithShortKeepAlive()) {
            call(dispatcher, get(server.url()));
            call(dispatcher, get(server.url()));
            assertThat(server.requests()).hasSize(2).noneMatch(request -> request.contains("Cookie"));
        }
    }

    @Test
    void triesNextAddressWhenOneRefuses() {
        try (ScriptedServer server = ScriptedServer.respondingWith(ScriptedServer.okResponse("alive"));
                HttpCallDispatcher dispatcher =
                        TestCalls.open("127.0.0.0/8", name -> parseAddresses("127.0.0.3", "127.0.0.1"))) {
            assertThat(call(dispatcher, get("http://two.test:" + server.port() + "/"))
                            .excerpt())
                    .isEqualTo("alive");
        }
    }

    @Test
    void reportsRefusedConnection() throws IOException {
        int port;
        try (ServerSocket shortLived = new ServerSocket(0)) {
            port = shortLived.getLocalPort();
        }
        try (HttpCallDispatcher dispatcher = openWithShortKeepAlive()) {
            CallResult answer = call(dispatcher, get("http://127.0.0.1:" + port + "/"));
            assertThat(answer.failure()).contains(Failure.CONNECTION);
            assertThat(answer.error()).isEqualTo("127.0.0.1 does not accept connections: Connection refused");
        }
    }

    @Test
    void reportsUnknownHost() {
        try (HttpCallDispatcher dispatcher = TestCalls.open("")) {
            CallResult answer = call(dispatcher, get("http://nowhere.test/?token=hush"));
            assertThat(answer)
                    .isEqualTo(CallResult.failed(Failure.UNKNOWN_HOST, "host name nowhere.test cannot be resolved"));
        }
        try (HttpCallDispatcher dispatcher = TestCalls.open("", name -> parseAddresses())) {
            assertThat(call(dispatcher, get("http://nowhere.test/")).failure()).contains(Failure.UNKNOWN_HOST);
        }
    }

    @Test
    void resolverFailureFailsOnlyItsCall() {
        DnsResolver broken = name -> {
            if (name.equals("good.test")) {
                return parseAddresses("127.0.0.1");
            }
            throw new IllegalStateException("a test throws this");
        };
        try (ScriptedServer server = ScriptedServer.respondingWith(ScriptedServer.okResponse("fine"));
                HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.1", broken)) {
            assertThat(call(dispatcher, get("http://bad.test/")).failure()).contains(Failure.CONNECTION);
            assertThat(call(dispatcher, get("http://good.test:" + server.port() + "/"))
                            .excerpt())
                    .isEqualTo("fine");
        }
    }
}
