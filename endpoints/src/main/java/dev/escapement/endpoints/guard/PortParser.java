package dev.escapement.endpoints.guard;

import java.util.Optional;
import java.util.regex.Pattern;

/** Parses port numbers from 1 to 65535. */
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
                        "the port is not a number from 1 to " + MAX_PORT + "; correct it or leave it out"));
    }
}
