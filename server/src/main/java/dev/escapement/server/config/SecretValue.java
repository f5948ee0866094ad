package dev.escapement.server.config;

/**
 * A secret, which {@link #toString} does not show.
 *
 * @param value empty if the secret is not set
 */
public record SecretValue(String value) {

    public boolean isEmpty() {
        return value.isEmpty();
    }

    @Override
    public String toString() {
        return isEmpty() ? "" : "(set, not shown)";
    }
}
