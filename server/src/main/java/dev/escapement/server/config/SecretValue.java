package dev.escapement.server.config;

import static java.util.Objects.requireNonNull;

/**
 * A secret, which {@link #toString} does not show.
 *
 * @param value empty if the secret is not set
 */
public record SecretValue(String value) {

    public SecretValue {
        requireNonNull(value, "value is null");
    }

    public boolean isEmpty() {
        return value.isEmpty();
    }

    @Override
    public String toString() {
        return isEmpty() ? "" : "(set, not shown)";
    }
}
