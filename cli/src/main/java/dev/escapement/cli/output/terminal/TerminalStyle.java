package dev.escapement.cli.output.terminal;

import java.util.Locale;

/** Colours of a text by its meaning. No information is shown by colour alone. */
public enum TerminalStyle {
    PLAIN(""),
    SUCCESS("32"),
    FAILURE("31"),
    WAITING("33"),
    ACTIVE("36"),
    BOLD("1"),
    FAINT("2");

    static final String RESET = "\u001b[0m";

    private final String code;

    TerminalStyle(String code) {
        this.code = code;
    }

    String escapeSequence() {
        return "\u001b[" + code + "m";
    }

    /** Returns the style of a phase of an execution, a state of a target or endpoint, or an outcome of a run. */
    public static TerminalStyle ofPhase(String phase) {
        return switch (phase.toLowerCase(Locale.ROOT)) {
            case "completed", "succeeded", "healthy", "free", "yes" -> SUCCESS;
            case "failed", "failing", "blocked", "exhausted", "no" -> FAILURE;
            case "skipped", "waiting", "cooldown", "paused" -> WAITING;
            case "running", "held" -> ACTIVE;
            default -> PLAIN;
        };
    }
}
