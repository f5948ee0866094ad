package dev.escapement.storage;

import static java.util.Objects.requireNonNull;

/** A secret whose {@link #toString} does not reveal it. */
public final class SecretText {

    private final String text;

    private SecretText(String text) {
        this.text = requireNonNull(text, "text is null");
    }

    public static SecretText of(String text) {
        return new SecretText(text);
    }

    public String reveal() {
        return text;
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
