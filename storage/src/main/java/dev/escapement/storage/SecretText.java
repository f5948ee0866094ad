package dev.escapement.storage;

import static java.util.Objects.requireNonNull;

/** Text that must not be printed by accident. */
public final class SecretText {

    private final String text;

    private SecretText(String text) {
        this.text = requireNonNull(text, "text is null");
    }

    /** Wraps it. */
    public static SecretText of(String text) {
        return new SecretText(text);
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
