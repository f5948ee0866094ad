package dev.escapement.endpoints.guard;

import static dev.escapement.endpoints.http.TestCalls.call;
import static dev.escapement.endpoints.http.TestCalls.get;
import static dev.escapement.endpoints.http.TestCalls.parseAddresses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.http.CallResult;
import dev.escapement.endpoints.http.CallResult.Failure;
import dev.escapement.endpoints.http.HttpCallDispatcher;
import dev.escapement.endpoints.http.ScriptedServer;
import dev.escapement.endpoints.http.TestCalls;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Tests that hanging lookups do not delay others. */
class DnsResolverPoolTest {

    private final CountDownLatch slowLookupsReleased = new CountDownLatch(1);

    private List<InetAddress> resolveSlowly(String name) throws UnknownHostException {
        if (name.startsWith("slow")) {
            try {
                slowLookupsReleased.await();
            } catch (InterruptedException closed) {
                throw new UnknownHostException(name);
            }
        }
        return parseAddresses("127.0.0.1");
    }

    @Test
    void hangingLookupsDoNotDelayOthers() {
        try (ScriptedServer server = ScriptedServer.respondingWith(ScriptedServer.okResponse("fine"));
                HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.1", this::resolveSlowly)) {
            List<CompletableFuture<CallResult>> slow = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                slow.add(TestCalls.start(dispatcher, get("http://slow-" + i + ".test:" + server.port() + "/")));
            }
            assertThat(call(dispatcher, get("http://quick.test:" + server.port() + "/"))
                            .excerpt())
                    .isEqualTo("fine");
            assertThat(slow).noneMatch(CompletableFuture::isDone);
            slowLookupsReleased.countDown();
            assertThat(slow).allMatch(call -> TestCalls.await(call).isSuccess());
        }
    }

    @Test
    void queuesLookupsBeyondLimit() {
        try (DnsResolverPool lookups = new DnsResolverPool(this::resolveSlowly, 1)) {
            CompletableFuture<List<InetAddress>> first = lookups.resolve("slow.test");
            CompletableFuture<List<InetAddress>> second = lookups.resolve("quick.test");
            CompletableFuture<List<InetAddress>> third = lookups.resolve("quick.example");
            assertThat(second).isNotDone();
            slowLookupsReleased.countDown();
            assertThat(TestCalls.await(first))
                    .isEqualTo(TestCalls.await(second))
                    .isEqualTo(TestCalls.await(third));
        }
    }

    @Test
    void refusesLookupsAfterClose() {
        DnsResolverPool lookups = new DnsResolverPool(this::resolveSlowly, 1);
        lookups.close();
        assertThat(lookups.resolve("quick.test")).isCompletedExceptionally();
        assertThat(lookups.resolve("quick.test")).isCompletedExceptionally();
    }

    @Test
    void refusesHostNamesThatCannotBeCalled() {
        try (HttpCallDispatcher dispatcher = TestCalls.open("127.0.0.1", this::resolveSlowly)) {
            CallResult answer = call(dispatcher, get("http://my_service.test/"));
            assertThat(answer.failure()).contains(Failure.BAD_URL);
            assertThat(answer.error()).contains("underscore", "use a name without");
            assertThat(call(dispatcher, get("http://a.1b/")).error()).contains("must begin with a letter");
        }
    }
}
