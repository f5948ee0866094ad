package dev.escapement.endpoints.call;

import java.util.Optional;

/** Port numbers as text. */
final class Ports {

    private static final int LAST = 65535;

    private Ports() {}

    static int parse(String text) {
        return Optional.of(text)
                .filter(digits -> digits.matches("[0-9]{1,5}"))
                .map(Integer::parseInt)
                .filter(number -> number >= 1 && number <= LAST)
                .orElseThrow(() -> new IllegalArgumentException(
                        "the port is no number from 1 to " + LAST + "; give one, or none"));
    }
}
