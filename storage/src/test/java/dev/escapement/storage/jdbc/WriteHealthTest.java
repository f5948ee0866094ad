package dev.escapement.storage.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WriteHealthTest {

    private long ticks = 1_000;
    private final WriteHealth health = new WriteHealth(() -> ticks);

    private void advance(Duration time) {
        ticks += time.toNanos();
    }

    @Test
    void reportsFailureUntilWriteSucceeds() {
        assertThat(health.problem()).isEmpty();
        health.recordFailure();
        advance(Duration.ofHours(1));
        assertThat(health.problem()).isPresent();
        health.recordSuccess();
        assertThat(health.problem()).isEmpty();
    }

    @Test
    void remembersFailureForAWhileAfterSuccess() {
        health.recordFailure();
        health.recordSuccess();
        advance(Duration.ofSeconds(4));
        assertThat(health.problem()).isPresent();
        advance(Duration.ofSeconds(1));
        assertThat(health.problem()).isEmpty();
    }

    @Test
    void reportsDamageForever() {
        health.recordDamage();
        health.recordSuccess();
        advance(Duration.ofDays(1));
        assertThat(health.problem().orElseThrow()).contains("damaged");
    }
}
