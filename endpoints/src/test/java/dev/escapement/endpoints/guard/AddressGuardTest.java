package dev.escapement.endpoints.guard;

import static dev.escapement.endpoints.http.TestCalls.call;
import static dev.escapement.endpoints.http.TestCalls.get;
import static dev.escapement.endpoints.http.TestCalls.parseAddresses;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.guard.DnsResolverPool.DnsResolver;
import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.http.CallResult.Failure;
import dev.escapement.endpoints.http.HttpCallDispatcher;
import dev.escapement.endpoints.http.ScriptedServer;
import dev.escapement.endpoints.http.TestCalls;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Internal addresses are never called. 127.0.0.2 stands for a public address: the allow list permits it. The canary on
 * 127.0.0.1 and ::1 stands for an internal server.
 */
class AddressGuardTest {

    private final CanaryServer canary = new CanaryServer();
    private final ScriptedServer publicServer =
            ScriptedServer.listen("127.0.0.2", canary.port(), (request, in, out) -> {
                String target = request.split(" ", 3)[1];
                String answer = target.startsWith("/to?")
                        ? "HTTP/1.1 " + target.substring(4, 7) + " Moved\r\nLocation: http://127.0.0.1:PORT/\r\n"
                                + "Refresh: 0;url=http://127.0.0.1:PORT/\r\nContent-Length: 0\r\n\r\n"
                        : ScriptedServer.okResponse("outside");
                out.write(answer.replace("PORT", canaryPort()).getBytes(UTF_8));
                return true;
            });

    private String canaryPort() {
        return Integer.toString(canary.port());
    }

    private static HttpCallDispatcher open(DnsResolver resolver) {
        return TestCalls.open("127.0.0.2", resolver);
    }

    @AfterEach
    void assertCanaryUntouched() {
        canary.assertUntouched();
        canary.close();
        publicServer.close();
    }

    @Test
    void coversManyHostileAddresses() {
        assertThat(HostileAddresses.urls().distinct().count()
                        + HostileAddresses.dnsAnswers().distinct().count())
                .isGreaterThan(150);
    }

    @ParameterizedTest
    @MethodSource("dev.escapement.endpoints.guard.HostileAddresses#urls")
    void blocksEveryHostileUrl(String url) {
        // This resolver returns an internal address for every name.
        try (HttpCallDispatcher dispatcher = open(name -> parseAddresses("127.0.0.1"))) {
            CallResult answer = call(dispatcher, get(url.replace("PORT", canaryPort())));
            assertThat(answer.failure().orElseThrow()).isIn(Failure.BAD_URL, Failure.ADDRESS_DENIED);
            assertThat(answer.error()).isNotBlank().doesNotContain("pass@");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.escapement.endpoints.guard.HostileAddresses#dnsAnswers")
    void blocksEveryHostileDnsAnswer(String answers) {
        try (HttpCallDispatcher dispatcher = open(name -> parseAddresses(answers.split(" ", -1)))) {
            CallResult answer = call(dispatcher, get("http://good.test:" + canary.port() + "/"));
            assertThat(answer.failure()).contains(Failure.ADDRESS_DENIED);
            assertThat(answer.error()).contains("good.test").doesNotContain(answers);
        }
    }

    @Test
    void blocksMappedAddressBuiltFromBytes() throws UnknownHostException {
        byte[] bytes = new byte[16];
        bytes[10] = -1;
        bytes[11] = -1;
        bytes[12] = 127;
        bytes[15] = 1;
        InetAddress mapped = Inet6Address.getByAddress("good.test", bytes, -1);
        try (HttpCallDispatcher dispatcher = open(name -> List.of(mapped))) {
            assertThat(call(dispatcher, get("http://good.test:" + canary.port() + "/"))
                            .failure())
                    .contains(Failure.ADDRESS_DENIED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST", "a.localhost", "localtest.me", "127.0.0.1.nip.io", "metadata"})
    void blocksNamesThatResolveToLoopback(String name) {
        try (HttpCallDispatcher dispatcher = open(asked -> parseAddresses("127.0.0.1"))) {
            assertThat(call(dispatcher, get("http://" + name + ":" + canary.port() + "/"))
                            .failure())
                    .contains(Failure.ADDRESS_DENIED);
        }
    }

    @Test
    void blocksLoopbackFromSystemResolver() {
        try (HttpCallDispatcher dispatcher = open(DnsResolver.system())) {
            assertThat(call(dispatcher, get("http://localhost:" + canary.port() + "/"))
                            .failure())
                    .contains(Failure.ADDRESS_DENIED);
        }
    }

    @Test
    void connectsToTheAddressThatWasChecked() {
        List<String> asked = new ArrayList<>();
        DnsResolver rebinding = name -> {
            asked.add(name);
            return parseAddresses(asked.size() == 1 ? "127.0.0.2" : "127.0.0.1");
        };
        try (HttpCallDispatcher dispatcher = open(rebinding)) {
            CallResult first = call(dispatcher, get("http://good.test:" + canary.port() + "/"));
            assertThat(first.excerpt()).isEqualTo("outside");
            assertThat(asked).containsExactly("good.test");
        }
    }

    @Test
    void deniesReboundNameAtNextConnection() {
        AtomicInteger asked = new AtomicInteger();
        DnsResolver rebinding = name -> parseAddresses(asked.incrementAndGet() % 2 == 1 ? "127.0.0.2" : "127.0.0.1");
        for (int i = 0; i < 10; i++) {
            try (HttpCallDispatcher dispatcher = open(rebinding)) {
                CallResult answer = call(dispatcher, get("http://good.test:" + canary.port() + "/"));
                assertThat(answer.failure().isPresent()).isEqualTo(i % 2 == 1);
            }
        }
        assertThat(asked).hasValue(10);
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 301, 302, 303, 307, 308})
    void doesNotFollowRedirects(int status) {
        try (HttpCallDispatcher dispatcher = open(name -> parseAddresses("127.0.0.2"))) {
            CallResult answer = call(dispatcher, get("http://good.test:" + canary.port() + "/to?" + status));
            assertThat(answer.failure()).contains(Failure.STATUS);
            assertThat(answer.statusCode()).contains(status);
            assertThat(answer.error()).contains("redirect");
            assertThat(publicServer.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"//127.0.0.1:PORT/", "/http://127.0.0.1:PORT/", "/@127.0.0.1:PORT/", "/..//127.0.0.1:PORT"})
    void doesNotTakePathForHost(String path) {
        try (HttpCallDispatcher dispatcher = open(name -> parseAddresses("127.0.0.2"))) {
            String url = "http://good.test:" + canary.port() + path.replace("PORT", canaryPort());
            assertThat(call(dispatcher, get(url)).excerpt()).isEqualTo("outside");
            assertThat(publicServer.requests().get(0)).contains("\r\nHost: good.test:" + canary.port() + "\r\n");
        }
    }

    @Test
    void allowListEntryForOnePortDoesNotAllowOthers() {
        try (HttpCallDispatcher dispatcher =
                TestCalls.open("127.0.0.1:" + (canary.port() == 1 ? 2 : canary.port() - 1))) {
            assertThat(call(dispatcher, get("http://127.0.0.1:" + canary.port() + "/"))
                            .failure())
                    .contains(Failure.ADDRESS_DENIED);
        }
    }
}
