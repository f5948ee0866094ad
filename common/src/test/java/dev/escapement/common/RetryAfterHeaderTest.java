package dev.escapement.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterHeaderTest {

    private static final Instant NOW = Instant.parse("2026-11-16T08:00:00Z");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|PT0S",
                "120|PT2M",
                "' 7 '|PT7S",
                "86400|P1D",
                "86401|P1D",
                "99999999999999999999999999|P1D",
                "Mon, 16 Nov 2026 08:01:30 GMT|PT1M30S",
                "Monday, 16-Nov-26 08:01:30 GMT|PT1M30S",
                "Mon Nov 16 08:01:30 2026|PT1M30S",
                "Sun Dec  6 08:01:30 2026|P1D",
                "Mon, 16 Nov 2026 07:00:00 GMT|PT0S",
                "Fri, 31 Dec 1999 23:59:59 GMT|PT0S",
                "Sat, 16 Nov 2030 08:00:00 GMT|P1D",
            })
    void parsesSecondsAndDates(String header, Duration expected) {
        assertThat(RetryAfterHeader.parse(header, NOW)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "soon",
                "-1",
                "1.5",
                "1e3",
                "0x10",
                "１２",
                "2026-11-16T08:01:30Z",
                "Tue, 16 Nov 2026 08:01:30 GMT",
                "Mon, 16 Nov 2026 08:01:30 CET",
                "Mon, 32 Nov 2026 08:01:30 GMT",
            })
    void ignoresInvalidValues(String header) {
        assertThat(RetryAfterHeader.parse(header, NOW)).isEmpty();
    }
}
