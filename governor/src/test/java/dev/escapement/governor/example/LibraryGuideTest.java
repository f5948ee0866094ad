package dev.escapement.governor.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.backoff.Backoff;
import dev.escapement.common.SafeText;
import dev.escapement.governor.plan.RunPlanner;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the programs of the guide, and compares the guide with them. */
class LibraryGuideTest {

    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    @ParameterizedTest
    @ValueSource(strings = {"GateExample", "PlannerExample"})
    void guideContainsProgram(String name) throws IOException {
        String source = Files.readString(Path.of("src/test/java/dev/escapement/governor/example", name + ".java"));
        String program = source.substring(source.indexOf("import "));
        assertThat(Files.readString(Path.of("..", "docs", "use-as-library.md")))
                .contains("```java\n" + program + "```");
    }

    @Test
    void gateProgramAdmitsBacksOffAndBlocks() {
        GateExample example = new GateExample();
        Runnable cannotStart = () -> {
            throw new IllegalStateException("no such program");
        };
        Runnable breaksHalfway = () -> {
            throw new UnsupportedOperationException("step 2 of 3 failed");
        };
        assertThat(example.runOnce("e1", "repair", "node/a", () -> {}, NOW)).startsWith("Completed");
        assertThat(example.runOnce("e2", "repair", "node/a", () -> {}, NOW)).startsWith("RecentlyRemediated: ");
        assertThat(example.runOnce("e3", "other", "node/a", cannotStart, NOW)).startsWith("failure 1 in a row");
        assertThat(example.runOnce("e4", "other", "node/a", () -> {}, NOW)).startsWith("RecentlyRemediated: ");
        Instant later = NOW.plus(Duration.ofMinutes(11));
        assertThat(example.runOnce("e5", "repair", "node/a", breaksHalfway, later))
                .startsWith("FailedDuringExecution");
        assertThat(example.runOnce("e6", "other", "node/a", () -> {}, later.plus(Duration.ofDays(1))))
                .startsWith("PreviousExecutionFailed: ");
    }

    @Test
    void plannerRunsWithTwoJarsAlone() throws Exception {
        assertThat(runIsolated(PlannerExample.class, RunPlanner.class, Backoff.class))
                .startsWith("Runs next at 2026-11-15T12:");
    }

    @Test
    void gateRunsWithThreeJarsAlone() throws Exception {
        assertThat(runIsolated(GateProgram.class, RunPlanner.class, Backoff.class, SafeText.class))
                .startsWith("Completed");
    }

    /** Runs a program in a class loader that has only the jars of these classes, and the programs themselves. */
    private static String runIsolated(Class<? extends Supplier<String>> program, Class<?>... jars) throws Exception {
        URL[] locations = Stream.concat(Stream.of(program), Stream.of(jars))
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .toArray(URL[]::new);
        try (URLClassLoader alone = new URLClassLoader(locations, ClassLoader.getPlatformClassLoader())) {
            Object instance =
                    alone.loadClass(program.getName()).getDeclaredConstructor().newInstance();
            return String.valueOf(((Supplier<?>) instance).get());
        }
    }
}
