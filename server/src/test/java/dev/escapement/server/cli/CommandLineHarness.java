package dev.escapement.server.cli;

import dev.escapement.server.cli.api.Pause;
import dev.escapement.server.cli.text.Terminal;
import java.io.ByteArrayInputStream;
import java.io.FilterWriter;
import java.io.IOException;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Runs commands with surroundings of their own: no variables, no home, a fixed time, and no time that passes. */
final class CommandLineHarness {

    static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Object written = new Object();
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    final Map<String, String> environment = new LinkedHashMap<>();
    final List<Runnable> onInterrupt = new CopyOnWriteArrayList<>();
    final SplittableRandom random = new SplittableRandom(1);
    final Path home;
    String in = "";
    InstantSource clock = InstantSource.fixed(NOW);
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
        Terminal terminal = new Terminal(telling(out), telling(err), colour, unicode, interactive, 120);
        return CommandLineProgram.run(
                new Surroundings(
                        terminal,
                        new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
                        environment,
                        clock,
                        random,
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

    /**
     * Runs a command on a thread of its own. The common pool has a single thread on a small machine, and from Java 25
     * on nothing in its place: a command that stays would keep everybody else waiting.
     */
    CompletableFuture<Integer> start(String... args) {
        CompletableFuture<Integer> exitCode = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        exitCode.complete(run(args));
                    } catch (RuntimeException | Error failure) {
                        exitCode.completeExceptionally(failure);
                    }
                },
                "command");
        thread.setDaemon(true);
        thread.start();
        return exitCode;
    }

    /** Waits until this was written, by a command that runs on another thread. */
    void awaitOut(String text) throws InterruptedException {
        synchronized (written) {
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (!out().contains(text)) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new AssertionError("'%s' was not written; out: %s err: %s".formatted(text, out(), err()));
                }
                TimeUnit.NANOSECONDS.timedWait(written, left);
            }
        }
    }

    /** Tells whoever waits that there is something new. */
    private PrintWriter telling(StringWriter to) {
        return new PrintWriter(
                new FilterWriter(to) {
                    @Override
                    public void flush() throws IOException {
                        super.flush();
                        synchronized (written) {
                            written.notifyAll();
                        }
                    }
                },
                true);
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }
}
