package dev.escapement.server.cli.text;

import java.util.Locale;

/** What a word is about; a terminal with colours shows it. Nothing is ever said by colour alone. */
public enum Tone {
    PLAIN(""),
    GOOD("32"),
    BAD("31"),
    WAITING("33"),
    ACTIVE("36"),
    STRONG("1"),
    FAINT("2");

    static final String END = "\u001b[0m";

    private final String code;

    Tone(String code) {
        this.code = code;
    }

    String start() {
        return "\u001b[" + code + "m";
    }

    /** The tone of an execution's phase, of a target's or an endpoint's state, or of a run's outcome. */
    public static Tone of(String phase) {
        return switch (phase.toLowerCase(Locale.ROOT)) {
            case "completed", "succeeded", "healthy", "free", "yes" -> GOOD;
            case "failed", "failing", "blocked", "exhausted", "no" -> BAD;
            case "skipped", "waiting", "cooldown", "paused" -> WAITING;
            case "running", "held" -> ACTIVE;
            default -> PLAIN;
        };
    }
}
