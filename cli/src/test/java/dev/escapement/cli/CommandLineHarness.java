package dev.escapement.cli;

import dev.escapement.cli.client.Sleeper;
import dev.escapement.cli.output.terminal.Terminal;
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

/** Runs commands in a context of its own: no variables, a temporary home, a fixed clock, and no waiting. */
public final class CommandLineHarness {

    static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Object outputMonitor = new Object();
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    public final Map<String, String> environment = new LinkedHashMap<>();
    public final List<Runnable> shutdownActions = new CopyOnWriteArrayList<>();
    final SplittableRandom random = new SplittableRandom(1);
    public final Path home;
    public String stdin = "";
    public InstantSource clock = InstantSource.fixed(NOW);
    public Sleeper sleeper = time -> {};
    public boolean colour;
    public boolean interactive;
    boolean unicode = true;

    public CommandLineHarness(Path home) {
        this.home = home;
    }

    /** Runs one command and returns its exit code. Clears earlier output. */
    public int run(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        Terminal terminal = new Terminal(notifyingWriter(out), notifyingWriter(err), colour, unicode, interactive, 120);
        return CommandLineProgram.run(
                new CommandContext(
                        terminal,
                        new ByteArrayInputStream(stdin.getBytes(StandardCharsets.UTF_8)),
                        environment,
                        clock,
                        random,
                        sleeper,
                        createShutdownSignals(),
                        home,
                        home),
                args);
    }

    private ShutdownSignals createShutdownSignals() {
        return new ShutdownSignals() {
            @Override
            public Registration onInterrupt(Runnable action) {
                shutdownActions.add(action);
                return () -> shutdownActions.remove(action);
            }

            @Override
            public Registration onStop(Runnable action) {
                return onInterrupt(action);
            }
        };
    }

    /**
     * Runs a command on its own thread. The common pool may have a single thread, which a command that waits would
     * block.
     */
    public CompletableFuture<Integer> runAsync(String... args) {
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

    /** Waits until a command on another thread has printed the text. */
    public void awaitOutput(String text) throws InterruptedException {
        synchronized (outputMonitor) {
            long deadline = System.nanoTime() + TIMEOUT_NANOS;
            while (!out().contains(text)) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new AssertionError("'%s' was not written; out: %s err: %s".formatted(text, out(), err()));
                }
                TimeUnit.NANOSECONDS.timedWait(outputMonitor, left);
            }
        }
    }

    /** Notifies {@link #awaitOutput} of new output. */
    private PrintWriter notifyingWriter(StringWriter to) {
        return new PrintWriter(
                new FilterWriter(to) {
                    @Override
                    public void flush() throws IOException {
                        super.flush();
                        synchronized (outputMonitor) {
                            outputMonitor.notifyAll();
                        }
                    }
                },
                true);
    }

    public String out() {
        return out.toString();
    }

    public String err() {
        return err.toString();
    }
}
