package dev.escapement.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HealthTest {

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger questions = new AtomicInteger();

    /** Or those who waited for it would each ask and wait once more, one after the other. */
    @Test
    void anAnswerThatTookLongIsFreshWhenItIsThere() {
        Health health = new Health(List.of(), List.of(new Health.Check("slow", this::slow)), nanos::get);
        assertThat(health.ready().good()).isTrue();
        assertThat(health.ready().good()).isTrue();
        assertThat(questions).hasValue(1);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(health.ready().good()).isTrue();
        assertThat(questions).hasValue(2);
    }

    private Optional<String> slow() {
        questions.incrementAndGet();
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        return Optional.empty();
    }
}
