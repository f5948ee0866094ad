package dev.escapement.endpoints.http;

import static dev.escapement.endpoints.http.TestCalls.call;
import static dev.escapement.endpoints.http.TestCalls.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.common.SafeText;
import dev.escapement.endpoints.http.CallResult.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a malicious response fails only its own call: the same dispatcher makes a normal call after each. */
class MaliciousResponseTest {

    private static final HttpCallDispatcher DISPATCHER = TestCalls.open("127.0.0.1");

    private final AtomicLong bytesSent = new AtomicLong();

    @AfterAll
    static void close() {
        DISPATCHER.close();
    }

    static Stream<MaliciousResponse> responses() {
        return MaliciousResponse.all();
    }

    @ParameterizedTest
    @MethodSource("responses")
    void maliciousResponseFailsOnlyItsOwnCall(MaliciousResponse malicious) {
        try (ScriptedServer it = MaliciousServer.start(malicious, bytesSent)) {
            Duration timeout = malicious.slow() ? TestCalls.SHORT_TIMEOUT : TestCalls.LONG_TIMEOUT;
            CallResult answer = call(DISPATCHER, get(it.url(), timeout));
            assertThat(possibleFailures(answer)).as(answer.error()).anyMatch(malicious::allows);
            assertThat(answer.error().isEmpty()).isEqualTo(answer.isSuccess());
            assertThat(isStorable(answer.excerpt() + answer.error())).isTrue();
            assertThat(answer.excerpt()).hasSizeLessThanOrEqualTo(TestCalls.LIMITS.maxExcerptChars());
            assertThat(answer.bodyBytes()).isLessThan(2L * TestCalls.LIMITS.maxResponseBytes());
            assertThat(call(DISPATCHER, get(it.url() + "normal")).excerpt()).isEqualTo("normal");
        }
        assertThat(bytesSent.get()).isLessThan(MaliciousServer.MAX_BUFFERED_BYTES);
    }

    /**
     * With assertions enabled, as in tests, Jetty fails one of its own when a response is incomplete, and reports it as
     * invalid.
     */
    private static List<Optional<Failure>> possibleFailures(CallResult answer) {
        return answer.error().endsWith(CallError.CLIENT_ASSERTION_REASON)
                ? List.of(Optional.of(Failure.BAD_ANSWER), Optional.of(Failure.CONNECTION))
                : List.of(answer.failure());
    }

    private static boolean isStorable(String text) {
        return text.codePoints().allMatch(SafeText::isPrintable) && text.indexOf(0) < 0;
    }
}
