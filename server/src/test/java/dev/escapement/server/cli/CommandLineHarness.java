package dev.escapement.server.cli;

import dev.escapement.server.cli.api.Pause;
import dev.escapement.server.cli.text.Terminal;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;

/** Runs commands with surroundings of their own: no variables, no home, a fixed time, and no time that passes. */
final class CommandLineHarness {

    static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    final Map<String, String> environment = new LinkedHashMap<>();
    final List<Runnable> onInterrupt = new CopyOnWriteArrayList<>();
    final Path home;
    String in = "";
    Pause pause = time -> {};
    boolean colour;
    boolean interactive;
    boolean unicode = true;

    /** With a folder of the test as the home. */
    CommandLineHarness(Path home) {
        this.home = home;
    }

    /** Runs one command and returns its exit code. What was written before is forgotten. */
    int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        Terminal terminal =
                new Terminal(new PrintWriter(out, true), new PrintWriter(err, true), colour, unicode, interactive, 120);
        return CommandLineProgram.run(
                new Surroundings(
                        terminal,
                        new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
                        environment,
                        InstantSource.fixed(NOW),
                        new SplittableRandom(1),
                        pause,
                        interrupts(),
                        home,
                        home),
                args);
    }

    private Interrupts interrupts() {
        return new Interrupts() {
            @Override
            public Registration onInterrupt(Runnable action) {
                onInterrupt.add(action);
                return () -> onInterrupt.remove(action);
            }

            @Override
            public Registration onStop(Runnable action) {
                return onInterrupt(action);
            }
        };
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }
}
