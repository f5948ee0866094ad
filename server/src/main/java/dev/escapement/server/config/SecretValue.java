package dev.escapement.server.config;

import static java.util.Objects.requireNonNull;

/**
 * A text that nobody should see: it does not print itself.
 *
 * @param value what it is; empty if there is none
 */
public record SecretValue(String value) {

    /** Not null. */
    public SecretValue {
        requireNonNull(value, "value is null");
    }

    /** Whether there is none. */
    public boolean isEmpty() {
        return value.isEmpty();
    }

    @Override
    public String toString() {
        return isEmpty() ? "" : "(set, not shown)";
    }
}
