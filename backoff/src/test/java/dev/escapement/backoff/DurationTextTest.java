package dev.escapement.backoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.testkit.Property;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({
        "30s, PT30S",
        "5m, PT5M",
        "1h30m, PT1H30M",
        "250ms, PT0.25S",
        "1.5s, PT1.5S",
        "2d, PT48H",
        "0, PT0S",
        "0s, PT0S",
        "7us, PT0.000007S",
        "7µs, PT0.000007S",
        "9ns, PT0.000000009S",
        "PT5M, PT5M",
        "pt90s, PT1M30S",
        "P1D, PT24H",
        "' 1m ', PT1M",
        "1m0.001s, PT1M0.001S",
        "90m, PT1H30M",
    })
    void parsesDurations(String text, Duration duration) {
        assertThat(DurationText.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "5",
                "m",
                "5x",
                "5 m",
                "-5m",
                "+5m",
                "PT-5M",
                "1m30",
                "1.5",
                "1e3s",
                "PT",
                "P1Y",
                "five minutes",
                "1m,30s",
                "0.1ns",
                "999999999999999999d",
                "P999999999999999999D",
                "1..5s",
                "٣s",
            })
    void rejectsInvalidTextWithExamples(String text) {
        assertThatThrownBy(() -> DurationText.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\" is not a duration")
                .hasMessageContaining("30s, 5m, 1h30m");
    }

    @ParameterizedTest
    @CsvSource({
        "PT30S, 30s",
        "PT1M48S, 1m48s",
        "PT5M, 5m",
        "PT0.25S, 250ms",
        "PT1.5S, 1.5s",
        "PT48H, 2d",
        "PT0S, 0s",
        "PT1H30M, 1h30m",
        "PT0.000007S, 7us",
        "PT0.0000075S, 7.5us",
        "PT0.000000009S, 9ns",
        "PT25H0.001S, 1d1h0.001s",
        "PT-90S, -1m30s",
        "PT1S, 1s",
        "PT0.001S, 1ms",
        "PT0.000001S, 1us",
        "PT0.999S, 999ms",
    })
    void formatsShortestForm(Duration duration, String text) {
        assertThat(DurationText.format(duration)).isEqualTo(text);
    }

    @Test
    void formatAndParseRoundTrip() {
        Property.forAll(3_000, gen -> {
            Duration duration = Duration.ofNanos(gen.magnitude(Long.MAX_VALUE));
            assertThat(DurationText.parse(DurationText.format(duration))).isEqualTo(duration);
        });
    }
}
