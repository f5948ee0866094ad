package dev.escapement.server.cli;

import dev.escapement.server.cli.text.Printable;
import dev.escapement.server.cli.text.Terminal;
import dev.escapement.server.cli.text.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * What is going on right now: one line that is drawn again and again where a person looks, and one line per change
 * where it is written down. What is for machines has standard output for itself.
 */
final class ProgressLine implements AutoCloseable {

    private static final String START_OF_LINE = "\r";
    private static final String CLEAR_TO_END = "\u001b[K";

    private final Terminal terminal;
    private final Surroundings surroundings;
    private final boolean onOut;
    private final boolean redraws;
    private final String about;
    private final Instant since;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "progress");
        thread.setDaemon(true);
        return thread;
    });

    private final Optional<ScheduledFuture<?>> ticks;
    private String shown = "";
    private boolean closed;

    ProgressLine(Surroundings surroundings, boolean onOut, String about) {
        this.surroundings = surroundings;
        this.terminal = surroundings.terminal();
        this.onOut = onOut;
        this.redraws = onOut && terminal.interactive();
        this.about = Printable.line(about);
        this.since = surroundings.clock().instant();
        this.ticks =
                redraws ? Optional.of(clock.scheduleAtFixedRate(this::draw, 1, 1, TimeUnit.SECONDS)) : Optional.empty();
    }

    /** Shows a text of any origin. */
    synchronized void show(String text) {
        String next = Printable.line(text);
        if (closed || next.equals(shown)) {
            return;
        }
        shown = next;
        if (redraws) {
            draw();
        } else {
            (onOut ? terminal.out() : terminal.err()).println(terminal.symbols(about + "  " + next));
        }
    }

    private synchronized void draw() {
        if (!closed) {
            String time = Times.about(Duration.ofSeconds(
                    Duration.between(since, surroundings.clock().instant()).toSeconds()));
            String line = Printable.line(about + " " + shown + " " + time, terminal.columns() - 1);
            terminal.out().print(START_OF_LINE + terminal.symbols(line) + CLEAR_TO_END);
            terminal.out().flush();
        }
    }

    /** Leaves an empty line where it was. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            ticks.ifPresent(each -> each.cancel(false));
            clock.shutdownNow();
            if (redraws) {
                terminal.out().print(START_OF_LINE + CLEAR_TO_END);
                terminal.out().flush();
            }
        }
    }
}
