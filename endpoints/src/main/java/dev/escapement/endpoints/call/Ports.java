package dev.escapement.endpoints.call;

import java.util.Optional;
import java.util.regex.Pattern;

/** Port numbers as text. */
final class Ports {

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,5}");
    private static final int LAST = 65535;

    private Ports() {}

    static int parse(String text) {
        return Optional.of(text)
                .filter(digits -> DIGITS.matcher(digits).matches())
                .map(Integer::parseInt)
                .filter(number -> number >= 1 && number <= LAST)
                .orElseThrow(() -> new IllegalArgumentException(
                        "the port is no number from 1 to " + LAST + "; give one, or none"));
    }
}
