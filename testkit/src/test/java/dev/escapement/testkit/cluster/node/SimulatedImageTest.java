package dev.escapement.testkit.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedImageTest {

    @Test
    void parsesBehaviourFromImageName() {
        assertThat(parse("succeed")).isEqualTo(exit(0, "Completed", Duration.ZERO));
        assertThat(parse("succeed:latest")).isEqualTo(exit(0, "Completed", Duration.ZERO));
        assertThat(parse("succeed:200ms")).isEqualTo(exit(0, "Completed", Duration.ofMillis(200)));
        assertThat(parse("succeed:2m")).isEqualTo(exit(0, "Completed", Duration.ofMinutes(2)));
        assertThat(parse("exit:3")).isEqualTo(exit(3, "Error", Duration.ZERO));
        assertThat(parse("exit:0")).isEqualTo(exit(0, "Completed", Duration.ZERO));
        assertThat(parse("oom")).isEqualTo(exit(137, "OOMKilled", Duration.ZERO));
        assertThat(parse("hang")).isEqualTo(new SimulatedImage.Hang());
        assertThat(parse("wait")).isEqualTo(new SimulatedImage.WaitForAnnotation());
        assertThat(parse("never-scheduled")).isEqualTo(new SimulatedImage.Unschedulable());
        assertThat(parse("pull-failure")).isInstanceOf(SimulatedImage.PullFailure.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"busybox", "simulated.local/unheard-of", "simulated.local/exit", "simulated.local/exit:x"})
    void unknownImageIsPullFailure(String image) {
        assertThat(SimulatedImage.parse(image))
                .isInstanceOfSatisfying(
                        SimulatedImage.PullFailure.class,
                        failure -> assertThat(failure.message()).contains("'" + image + "'"));
    }

    @Test
    void ignoresUnknownExitAnnotation() {
        assertThat(SimulatedImage.parseExit("explode")).isEqualTo(Optional.empty());
    }

    private static SimulatedImage parse(String name) {
        return SimulatedImage.parse("simulated.local/" + name);
    }

    private static SimulatedImage exit(int exitCode, String reason, Duration after) {
        return new SimulatedImage.Exit(exitCode, reason, after);
    }
}
