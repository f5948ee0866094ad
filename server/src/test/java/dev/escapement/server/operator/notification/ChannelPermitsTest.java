package dev.escapement.server.operator.notification;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChannelPermitsTest {

    private final ChannelPermits permits = new ChannelPermits(2);
    private final List<String> retried = new ArrayList<>();

    private boolean tryAcquire(String sender, String... channels) {
        return permits.tryAcquire(List.of(channels), sender, () -> retried.add(sender));
    }

    @Test
    void boundsEachChannelAlone() {
        assertThat(tryAcquire("1", "slow")).isTrue();
        assertThat(tryAcquire("2", "slow")).isTrue();
        assertThat(tryAcquire("3", "slow")).isFalse();
        assertThat(tryAcquire("4", "other")).isTrue();
        assertThat(tryAcquire("5", "other", "slow")).as("all or none").isFalse();
        assertThat(tryAcquire("6", "other")).isTrue();
        assertThat(tryAcquire("7", "other")).isFalse();
    }

    @Test
    void retriesOnceInOrderAfterRelease() {
        tryAcquire("1", "slow");
        tryAcquire("2", "slow");
        tryAcquire("3", "slow");
        tryAcquire("4", "slow");
        tryAcquire("3", "slow");
        permits.release(List.of("slow"));
        assertThat(retried).containsExactly("3", "4");
        permits.release(List.of("slow"));
        assertThat(retried).hasSize(2);
        assertThat(tryAcquire("3", "slow")).isTrue();
        assertThat(tryAcquire("4", "slow")).isTrue();
        assertThat(tryAcquire("5", "slow")).isFalse();
    }
}
