package dev.escapement.endpoints.call;

import static dev.escapement.endpoints.call.Calls.answer;
import static dev.escapement.endpoints.call.Calls.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.endpoints.call.Answer.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Poison hurts only itself: one dispatcher takes all of it, and serves a normal call after each. */
class PoisonTest {

    private static final HttpDispatcher DISPATCHER = Calls.open("127.0.0.1");

    private final AtomicLong sent = new AtomicLong();

    @AfterAll
    static void close() {
        DISPATCHER.close();
    }

    static Stream<Poison> poisons() {
        return Poison.all();
    }

    @ParameterizedTest
    @MethodSource("poisons")
    void poisonHurtsOnlyItself(Poison poison) {
        try (RawServer it = PoisonServer.of(poison, sent)) {
            Duration timeout = poison.slow() ? Calls.SHORT : Calls.LONG;
            Answer answer = answer(DISPATCHER, get(it.url(), timeout));
            assertThat(expected(answer)).as(answer.error()).contains(poison.expected());
            assertThat(answer.error().isEmpty()).isEqualTo(poison.expected().isEmpty());
            assertThat(fit(answer.excerpt() + answer.error())).isTrue();
            assertThat(answer.excerpt()).hasSizeLessThanOrEqualTo(Calls.LIMITS.excerptChars());
            assertThat(answer.bytes()).isLessThan(2L * Calls.LIMITS.responseBytes());
            assertThat(answer(DISPATCHER, get(it.url() + "normal")).excerpt()).isEqualTo("normal");
        }
        assertThat(sent.get()).isLessThan(PoisonServer.BUFFERS);
    }

    /**
     * Where assertions are on, as they are in tests, the client trips over one of its own when an answer breaks off,
     * and cannot tell any more that it broke off.
     */
    private static List<Optional<Failure>> expected(Answer answer) {
        return answer.error().endsWith(Failures.TRIPPED)
                ? List.of(Optional.of(Failure.BAD_ANSWER), Optional.of(Failure.CONNECTION))
                : List.of(answer.failure());
    }

    private static boolean fit(String text) {
        return text.codePoints().allMatch(Texts::isFit) && text.indexOf(0) < 0;
    }
}
