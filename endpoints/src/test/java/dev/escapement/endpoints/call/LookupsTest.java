package dev.escapement.endpoints.call;

import static dev.escapement.endpoints.call.Calls.addresses;
import static dev.escapement.endpoints.call.Calls.answer;
import static dev.escapement.endpoints.call.Calls.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.call.Answer.Failure;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Names that hang hold up nobody else. */
class LookupsTest {

    private final CountDownLatch released = new CountDownLatch(1);

    private List<InetAddress> slowly(String name) throws UnknownHostException {
        if (name.startsWith("slow")) {
            try {
                released.await();
            } catch (InterruptedException closed) {
                throw new UnknownHostException(name);
            }
        }
        return addresses("127.0.0.1");
    }

    @Test
    void twentyNamesThatHangDoNotHoldUpOneThatAnswers() {
        try (RawServer server = RawServer.saying(RawServer.ok("fine"));
                HttpDispatcher dispatcher = Calls.open("127.0.0.1", this::slowly)) {
            List<CompletableFuture<Answer>> slow = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                slow.add(Calls.start(dispatcher, get("http://slow-" + i + ".test:" + server.port() + "/")));
            }
            assertThat(answer(dispatcher, get("http://quick.test:" + server.port() + "/"))
                            .excerpt())
                    .isEqualTo("fine");
            assertThat(slow).noneMatch(CompletableFuture::isDone);
            released.countDown();
            assertThat(slow).allMatch(call -> Calls.await(call).isSuccess());
        }
    }

    @Test
    void thoseBeyondTheBoundWaitAndAreLookedUpThen() {
        try (Lookups lookups = new Lookups(this::slowly, 1)) {
            CompletableFuture<List<InetAddress>> first = lookups.lookUp("slow.test");
            CompletableFuture<List<InetAddress>> second = lookups.lookUp("quick.test");
            CompletableFuture<List<InetAddress>> third = lookups.lookUp("quick.example");
            assertThat(second).isNotDone();
            released.countDown();
            assertThat(Calls.await(first)).isEqualTo(Calls.await(second)).isEqualTo(Calls.await(third));
        }
    }

    @Test
    void afterTheEndNothingIsLookedUp() {
        Lookups lookups = new Lookups(this::slowly, 1);
        lookups.close();
        assertThat(lookups.lookUp("quick.test")).isCompletedExceptionally();
        assertThat(lookups.lookUp("quick.test")).isCompletedExceptionally();
    }

    @Test
    void aNameWithAnUnderscoreIsRefusedBecauseItCannotBeCalled() {
        try (HttpDispatcher dispatcher = Calls.open("127.0.0.1", this::slowly)) {
            Answer answer = answer(dispatcher, get("http://my_service.test/"));
            assertThat(answer.failure()).contains(Failure.BAD_URL);
            assertThat(answer.error()).contains("underscore", "use a name without one");
            assertThat(answer(dispatcher, get("http://a.1b/")).error()).contains("must begin with a letter");
        }
    }
}
