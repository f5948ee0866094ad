package dev.escapement.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

class NamedThreadFactoryTest {

    @Test
    void numbersThreads() {
        ThreadFactory factory = NamedThreadFactory.daemon("cleanup");
        Thread first = factory.newThread(() -> {});
        Thread second = factory.newThread(() -> {});
        assertThat(first.getName()).isEqualTo("cleanup-1");
        assertThat(second.getName()).isEqualTo("cleanup-2");
        assertThat(first.isDaemon()).isTrue();
    }

    @Test
    void createsOneThreadWithThatName() {
        Thread thread = NamedThreadFactory.daemonThread("listener", () -> {});
        assertThat(thread.getName()).isEqualTo("listener");
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.isAlive()).isFalse();
        assertThat(thread.getUncaughtExceptionHandler()).isNotSameAs(thread.getThreadGroup());
    }
}
