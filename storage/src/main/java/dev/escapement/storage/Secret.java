package dev.escapement.storage;

import static java.util.Objects.requireNonNull;

/** Text that must not be printed by accident. */
public final class Secret {

    private final String text;

    private Secret(String text) {
        this.text = requireNonNull(text, "text is null");
    }

    /** Wraps it. */
    public static Secret of(String text) {
        return new Secret(text);
    }

    /** The text, for the one who has to pass it on. */
    public String reveal() {
        return text;
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
