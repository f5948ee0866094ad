package dev.escapement.cli.command;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.ShutdownSignals;
import dev.escapement.cli.output.terminal.Terminal;
import dev.escapement.cli.output.terminal.TerminalText;
import dev.escapement.cli.output.terminal.TimeFormat;
import dev.escapement.common.NamedThreadFactory;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Shows the progress of one thing: on a terminal one line that is redrawn every second, otherwise one line per change.
 * Writes to standard error if standard output is reserved for JSON, YAML or names. Ctrl-C ends the line with a message.
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
    private final ScheduledExecutorService scheduler =
            Executors.newSingleThreadScheduledExecutor(NamedThreadFactory.daemon("progress"));

    private final ShutdownSignals.Registration interruption;
    private String lastText = "";
    private boolean closed;

    public ProgressLine(CommandContext context, boolean toStandardOutput, String subject, String interruptMessage) {
        this.context = context;
        this.terminal = context.terminal();
        this.toStandardOutput = toStandardOutput;
        this.interactive = toStandardOutput && terminal.interactive();
        this.subject = TerminalText.singleLine(subject);
        this.startedAt = context.clock().instant();
        if (interactive) {
            ScheduledFuture<?> redrawTask = scheduler.scheduleAtFixedRate(this::draw, 1, 1, TimeUnit.SECONDS);
            assert redrawTask != null;
        }
        this.interruption = context.shutdownSignals().onInterrupt(() -> {
            end();
            terminal.printError(interruptMessage);
        });
    }

    /** Shows a text, which may come from a server: it is sanitised. */
    public synchronized void show(String text) {
        String next = TerminalText.singleLine(text);
        if (closed || next.equals(lastText)) {
            return;
        }
        lastText = next;
        if (interactive) {
            draw();
        } else {
            PrintWriter writer = toStandardOutput ? terminal.out() : terminal.err();
            writer.println(terminal.replaceUnsupportedSymbols(subject + "  " + next));
        }
    }

    private synchronized void draw() {
        if (!closed) {
            String time = TimeFormat.formatAge(startedAt, context.clock().instant());
            String line = TerminalText.singleLine(subject + " " + lastText + " " + time, terminal.columns() - 1);
            terminal.out().print(START_OF_LINE + terminal.replaceUnsupportedSymbols(line) + CLEAR_TO_END);
            terminal.out().flush();
        }
    }

    @Override
    public void close() {
        interruption.close();
        end();
    }

    /** Clears the line on a terminal. */
    private synchronized void end() {
        if (!closed) {
            closed = true;
            scheduler.shutdownNow();
            if (interactive) {
                terminal.out().print(START_OF_LINE + CLEAR_TO_END);
                terminal.out().flush();
            }
        }
    }
}
