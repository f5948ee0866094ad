package dev.escapement.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedImageTest {

    @Test
    void theNameSaysWhatHappens() {
        assertThat(of("succeed")).isEqualTo(ends(0, "Completed", Duration.ZERO));
        assertThat(of("succeed:latest")).isEqualTo(ends(0, "Completed", Duration.ZERO));
        assertThat(of("succeed:200ms")).isEqualTo(ends(0, "Completed", Duration.ofMillis(200)));
        assertThat(of("succeed:2m")).isEqualTo(ends(0, "Completed", Duration.ofMinutes(2)));
        assertThat(of("exit:3")).isEqualTo(ends(3, "Error", Duration.ZERO));
        assertThat(of("exit:0")).isEqualTo(ends(0, "Completed", Duration.ZERO));
        assertThat(of("oom")).isEqualTo(ends(137, "OOMKilled", Duration.ZERO));
        assertThat(of("hang")).isEqualTo(new SimulatedImage.Hangs());
        assertThat(of("wait")).isEqualTo(new SimulatedImage.Waits());
        assertThat(of("never-scheduled")).isEqualTo(new SimulatedImage.NeverScheduled());
        assertThat(of("pull-failure")).isInstanceOf(SimulatedImage.PullFailure.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"busybox", "simulated.local/unheard-of", "simulated.local/exit", "simulated.local/exit:x"})
    void whatIsNotKnownCannotBePulled(String image) {
        assertThat(SimulatedImage.of(image))
                .isInstanceOfSatisfying(
                        SimulatedImage.PullFailure.class,
                        failure -> assertThat(failure.message()).contains("'" + image + "'"));
    }

    @Test
    void anAnnotationThatMakesNoSenseEndsNothing() {
        assertThat(SimulatedImage.ending("explode")).isEqualTo(Optional.empty());
    }

    private static SimulatedImage of(String name) {
        return SimulatedImage.of("simulated.local/" + name);
    }

    private static SimulatedImage ends(int exitCode, String reason, Duration after) {
        return new SimulatedImage.Ends(exitCode, reason, after);
    }
}
