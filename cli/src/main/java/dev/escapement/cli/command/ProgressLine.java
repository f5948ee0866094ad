package dev.escapement.cli.command;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.cli.output.terminal.TimeFormat;
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
public final class ProgressLine implements AutoCloseable {

    private static final String START_OF_LINE = "\r";
    private static final String CLEAR_TO_END = "\u001b[K";

    private final Terminal terminal;
    private final CommandContext context;
    private final boolean toStandardOutput;
    private final boolean interactive;
    private final String subject;
    private final Instant startedAt;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "progress");
        thread.setDaemon(true);
        return thread;
    });

    private final Optional<ScheduledFuture<?>> redrawTask;
    private String lastText = "";
    private boolean closed;

    public ProgressLine(CommandContext surroundings, boolean onOut, String about) {
        this.context = surroundings;
        this.terminal = surroundings.terminal();
        this.toStandardOutput = onOut;
        this.interactive = onOut && terminal.interactive();
        this.subject = TerminalText.singleLine(about);
        this.startedAt = surroundings.clock().instant();
        this.redrawTask = interactive
                ? Optional.of(scheduler.scheduleAtFixedRate(this::draw, 1, 1, TimeUnit.SECONDS))
                : Optional.empty();
    }

    /** Shows a text of any origin. */
    public synchronized void show(String text) {
        String next = TerminalText.singleLine(text);
        if (closed || next.equals(lastText)) {
            return;
        }
        lastText = next;
        if (interactive) {
            draw();
        } else {
            (toStandardOutput ? terminal.out() : terminal.err())
                    .println(terminal.replaceUnsupportedSymbols(subject + "  " + next));
        }
    }

    private synchronized void draw() {
        if (!closed) {
            String time = TimeFormat.formatDuration(Duration.ofSeconds(
                    Duration.between(startedAt, context.clock().instant()).toSeconds()));
            String line = TerminalText.singleLine(subject + " " + lastText + " " + time, terminal.columns() - 1);
            terminal.out().print(START_OF_LINE + terminal.replaceUnsupportedSymbols(line) + CLEAR_TO_END);
            terminal.out().flush();
        }
    }

    /** Leaves an empty line where it was. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            redrawTask.ifPresent(each -> each.cancel(false));
            scheduler.shutdownNow();
            if (interactive) {
                terminal.out().print(START_OF_LINE + CLEAR_TO_END);
                terminal.out().flush();
            }
        }
    }
}
