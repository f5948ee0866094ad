package dev.escapement.endpoints.call;

import static dev.escapement.endpoints.call.Calls.addresses;
import static dev.escapement.endpoints.call.Calls.answer;
import static dev.escapement.endpoints.call.Calls.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.call.Answer.Failure;
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
 * Nobody gets inside. The outside is played by 127.0.0.2, which the allow-list lets through; the canary on 127.0.0.1
 * and ::1 is the inside.
 */
class AddressGuardTest {

    private final Canary canary = new Canary();
    private final RawServer outside = RawServer.on("127.0.0.2", canary.port(), (request, in, out) -> {
        String target = request.split(" ", 3)[1];
        String answer = target.startsWith("/to?")
                ? "HTTP/1.1 " + target.substring(4, 7) + " Moved\r\nLocation: http://127.0.0.1:PORT/\r\n"
                        + "Refresh: 0;url=http://127.0.0.1:PORT/\r\nContent-Length: 0\r\n\r\n"
                : RawServer.ok("outside");
        out.write(answer.replace("PORT", portOfCanary()).getBytes(UTF_8));
        return true;
    });

    private String portOfCanary() {
        return Integer.toString(canary.port());
    }

    private static HttpDispatcher open(Resolver resolver) {
        return Calls.open("127.0.0.2", resolver);
    }

    @AfterEach
    void nobodyGotInside() {
        canary.assertUntouched();
        canary.close();
        outside.close();
    }

    @Test
    void thereAreManyWaysToTry() {
        assertThat(Hostile.urls().distinct().count()
                        + Hostile.answers().distinct().count())
                .isGreaterThan(150);
    }

    @ParameterizedTest
    @MethodSource("dev.escapement.endpoints.call.Hostile#urls")
    void noSpellingGetsInside(String url) {
        // A resolver of the careless kind: whatever it is asked, it leads inside.
        try (HttpDispatcher dispatcher = open(name -> addresses("127.0.0.1"))) {
            Answer answer = answer(dispatcher, get(url.replace("PORT", portOfCanary())));
            assertThat(answer.failure().orElseThrow()).isIn(Failure.BAD_URL, Failure.ADDRESS_DENIED);
            assertThat(answer.error()).isNotBlank().doesNotContain("pass@");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.escapement.endpoints.call.Hostile#answers")
    void noAnswerOfANameServerGetsInside(String answers) {
        try (HttpDispatcher dispatcher = open(name -> addresses(answers.split(" ", -1)))) {
            Answer answer = answer(dispatcher, get("http://good.test:" + canary.port() + "/"));
            assertThat(answer.failure()).contains(Failure.ADDRESS_DENIED);
            assertThat(answer.error()).contains("good.test").doesNotContain(answers);
        }
    }

    @Test
    void anAddressMadeOfBytesDoesNotGetInside() throws UnknownHostException {
        byte[] bytes = new byte[16];
        bytes[10] = -1;
        bytes[11] = -1;
        bytes[12] = 127;
        bytes[15] = 1;
        InetAddress mapped = Inet6Address.getByAddress("good.test", bytes, -1);
        try (HttpDispatcher dispatcher = open(name -> List.of(mapped))) {
            assertThat(answer(dispatcher, get("http://good.test:" + canary.port() + "/"))
                            .failure())
                    .contains(Failure.ADDRESS_DENIED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST", "a.localhost", "localtest.me", "127.0.0.1.nip.io", "metadata"})
    void namesAreJudgedByWhereTheyLead(String name) {
        try (HttpDispatcher dispatcher = open(asked -> addresses("127.0.0.1"))) {
            assertThat(answer(dispatcher, get("http://" + name + ":" + canary.port() + "/"))
                            .failure())
                    .contains(Failure.ADDRESS_DENIED);
        }
    }

    @Test
    void theNameServerOfTheMachineIsJudgedToo() {
        try (HttpDispatcher dispatcher = open(Resolver.ofTheMachine())) {
            assertThat(answer(dispatcher, get("http://localhost:" + canary.port() + "/"))
                            .failure())
                    .contains(Failure.ADDRESS_DENIED);
        }
    }

    @Test
    void whatIsCheckedIsWhatIsConnectedTo() {
        List<String> asked = new ArrayList<>();
        Resolver rebinding = name -> {
            asked.add(name);
            return addresses(asked.size() == 1 ? "127.0.0.2" : "127.0.0.1");
        };
        try (HttpDispatcher dispatcher = open(rebinding)) {
            Answer first = answer(dispatcher, get("http://good.test:" + canary.port() + "/"));
            assertThat(first.excerpt()).isEqualTo("outside");
            assertThat(asked).containsExactly("good.test");
        }
    }

    @Test
    void aNameThatTurnsInsideIsDeniedAtItsNextConnection() {
        AtomicInteger asked = new AtomicInteger();
        Resolver rebinding = name -> addresses(asked.incrementAndGet() % 2 == 1 ? "127.0.0.2" : "127.0.0.1");
        for (int i = 0; i < 10; i++) {
            try (HttpDispatcher dispatcher = open(rebinding)) {
                Answer answer = answer(dispatcher, get("http://good.test:" + canary.port() + "/"));
                assertThat(answer.failure().isPresent()).isEqualTo(i % 2 == 1);
            }
        }
        assertThat(asked).hasValue(10);
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 301, 302, 303, 307, 308})
    void aRedirectIsNotFollowed(int status) {
        try (HttpDispatcher dispatcher = open(name -> addresses("127.0.0.2"))) {
            Answer answer = answer(dispatcher, get("http://good.test:" + canary.port() + "/to?" + status));
            assertThat(answer.failure()).contains(Failure.STATUS);
            assertThat(answer.status()).contains(status);
            assertThat(answer.error()).contains("redirect");
            assertThat(outside.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"//127.0.0.1:PORT/", "/http://127.0.0.1:PORT/", "/@127.0.0.1:PORT/", "/..//127.0.0.1:PORT"})
    void aPathIsNoHost(String path) {
        try (HttpDispatcher dispatcher = open(name -> addresses("127.0.0.2"))) {
            String url = "http://good.test:" + canary.port() + path.replace("PORT", portOfCanary());
            assertThat(answer(dispatcher, get(url)).excerpt()).isEqualTo("outside");
            assertThat(outside.requests().get(0)).contains("\r\nHost: good.test:" + canary.port() + "\r\n");
        }
    }

    @Test
    void anEntryForOnePortOpensNoOther() {
        try (HttpDispatcher dispatcher = Calls.open("127.0.0.1:" + (canary.port() == 1 ? 2 : canary.port() - 1))) {
            assertThat(answer(dispatcher, get("http://127.0.0.1:" + canary.port() + "/"))
                            .failure())
                    .contains(Failure.ADDRESS_DENIED);
        }
    }
}
