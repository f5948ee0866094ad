package dev.escapement.endpoints.guard;

import java.util.Optional;
import java.util.regex.Pattern;

/** Port numbers as text. */
final class PortParser {

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,5}");
    private static final int MAX_PORT = 65535;

    private PortParser() {}

    static int parse(String text) {
        return Optional.of(text)
                .filter(digits -> DIGITS.matcher(digits).matches())
                .map(Integer::parseInt)
                .filter(number -> number >= 1 && number <= MAX_PORT)
                .orElseThrow(() -> new IllegalArgumentException(
                        "the port is no number from 1 to " + MAX_PORT + "; give one, or none"));
    }
}
