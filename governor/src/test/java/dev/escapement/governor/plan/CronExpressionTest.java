package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.testkit.Generator;
import dev.escapement.testkit.Property;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronExpressionTest {

    /** From Sunday, 1 January 2023, 00:00, exclusive. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*/5 * * * *        | 2023-01-01T00:05 2023-01-01T00:10",
                "7-30/10 1 * * *    | 2023-01-01T01:07 2023-01-01T01:17 2023-01-01T01:27 2023-01-02T01:07",
                "50/7 23 * * *      | 2023-01-01T23:50 2023-01-01T23:57 2023-01-02T23:50",
                "0 */10 * * *       | 2023-01-01T10:00 2023-01-01T20:00 2023-01-02T00:00",
                "59 23 31 12 *      | 2023-12-31T23:59 2024-12-31T23:59",
                "0 0 1 JAN,jul *    | 2023-07-01T00:00 2024-01-01T00:00",
                "0 0 1 */5 *        | 2023-06-01T00:00 2023-11-01T00:00 2024-01-01T00:00",
                "0 9 * * MON-FRI    | 2023-01-02T09:00 2023-01-03T09:00 2023-01-04T09:00 2023-01-05T09:00 2023-01-06T09:00 2023-01-09T09:00",
                "0 0 * * 0          | 2023-01-08T00:00 2023-01-15T00:00",
                "0 0 * * 7          | 2023-01-08T00:00 2023-01-15T00:00",
                "0 0 * * 6-7        | 2023-01-07T00:00 2023-01-08T00:00 2023-01-14T00:00",
                "0 0 * * SUN-TUE    | 2023-01-02T00:00 2023-01-03T00:00 2023-01-08T00:00",
                "0 0 * * FRI-SUN    | 2023-01-06T00:00 2023-01-07T00:00 2023-01-08T00:00 2023-01-13T00:00",
                "0 0 * * MON/3      | 2023-01-02T00:00 2023-01-05T00:00 2023-01-08T00:00 2023-01-09T00:00",
                "0 0 * * 7/3        | 2023-01-04T00:00 2023-01-07T00:00 2023-01-08T00:00 2023-01-11T00:00",
                "0 0 * * 5-5        | 2023-01-06T00:00 2023-01-13T00:00",
                "*/59 007 * * *     | 2023-01-01T07:00 2023-01-01T07:59 2023-01-02T07:00",
                "0 0 29 2 *         | 2024-02-29T00:00 2028-02-29T00:00",
                "0 0 29-31 2,4 *    | 2023-04-29T00:00 2023-04-30T00:00 2024-02-29T00:00",
                "0 0 31 * *         | 2023-01-31T00:00 2023-03-31T00:00 2023-05-31T00:00",
                "  0   0  * *  *    | 2023-01-02T00:00 2023-01-03T00:00",
                "@hourly            | 2023-01-01T01:00 2023-01-01T02:00",
                "@daily             | 2023-01-02T00:00 2023-01-03T00:00",
                "@midnight          | 2023-01-02T00:00 2023-01-03T00:00",
                "@Weekly            | 2023-01-08T00:00 2023-01-15T00:00",
                "@monthly           | 2023-02-01T00:00 2023-03-01T00:00",
                "@yearly            | 2024-01-01T00:00 2025-01-01T00:00",
                "@annually          | 2024-01-01T00:00 2025-01-01T00:00",
            })
    void parsesUnixExpressions(String expression, String runs) {
        List<LocalDateTime> expected =
                Stream.of(runs.split(" ")).map(LocalDateTime::parse).toList();
        assertThat(runs(expression, "2023-01-01T00:00", expected.size())).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 0 13 * 5    | 2023-01-06T00:00 2023-01-13T00:00 2023-01-20T00:00",
                "0 0 10 * 5    | 2023-01-06T00:00 2023-01-10T00:00 2023-01-13T00:00",
                "0 0 30 2 1    | 2023-02-06T00:00 2023-02-13T00:00 2023-02-20T00:00 2023-02-27T00:00 2024-02-05T00:00",
                "0 0 1-31 * 1  | 2023-01-02T00:00 2023-01-03T00:00 2023-01-04T00:00",
                "0 0 */20 * 1  | 2023-01-02T00:00 2023-01-09T00:00 2023-01-16T00:00 2023-01-21T00:00 2023-01-23T00:00",
                "0 0 */1 * 1   | 2023-01-02T00:00 2023-01-09T00:00",
                "0 0 10 * */1  | 2023-01-10T00:00 2023-02-10T00:00",
            })
    void matchesDayOfMonthOrDayOfWeek(String expression, String runs) {
        List<LocalDateTime> expected =
                Stream.of(runs.split(" ")).map(LocalDateTime::parse).toList();
        assertThat(runs(expression, "2023-01-01T00:00", expected.size())).isEqualTo(expected);
    }

    @Test
    void findsLeapDayAcrossCenturyWithoutOne() {
        assertThat(runs("0 0 29 2 *", "2096-02-29T00:00", 1)).containsExactly(LocalDateTime.parse("2104-02-29T00:00"));
        assertThat(runs("0 0 29 2 *", "2096-02-29T12:00", 1)).containsExactly(LocalDateTime.parse("2104-02-29T00:00"));
    }

    @ParameterizedTest
    @CsvSource({
        "2023-01-01T04:29:59.999999999, 2023-01-01T04:30",
        "2023-01-01T04:30, 2023-01-01T04:40",
        "2023-01-01T04:30:00.000000001, 2023-01-01T04:40",
        "2023-01-01T04:40, 2023-01-01T06:30",
        "2023-01-01T05:35, 2023-01-01T06:30",
        "2023-01-01T06:40, 2023-01-02T04:30",
        "2023-01-01T23:59, 2023-01-02T04:30",
    })
    void nextRunIsStrictlyAfterGivenTime(String after, LocalDateTime next) {
        assertThat(runs("30,40 4,6 * * *", after, 1)).containsExactly(next);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 30 2 *", "0 0 31 4,6,9,11 *", "0 0 30-31 FEB *"})
    void rejectsExpressionThatNeverMatches(String expression) {
        assertThatThrownBy(() -> CronExpression.of(expression, ZoneOffset.UTC))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cron \"%s\": it can never run, because none of its months has such a day", expression);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "60 * * * *            | minute 60 is not from 0 to 59",
                "0 24 * * *            | hour 24 is not from 0 to 23",
                "0 0 0 * *             | day of month 0 is not from 1 to 31",
                "0 0 * 13 *            | month 13 is not from 1 to 12 or JAN to DEC",
                "0 0 * * 8             | day of week 8 is not from 0 to 7 or SUN to SAT",
                "*/0 * * * *           | minute step 0 is not from 1 to 59",
                "*/60 * * * *          | minute step 60 is not from 1 to 59",
                "0 0 * * MON-FRI/8     | day of week step 8 is not from 1 to 7",
                "0 22-2 * * *          | hour range 22-2 ends before it starts",
                "0 0 * * FUNDAY        | day of week FUNDAY is not from 0 to 7 or SUN to SAT",
                "0 0 * 1-SUN *         | month SUN is not from 1 to 12 or JAN to DEC",
                "0 0 * * SAT-MON       | day of week range SAT-MON ends before it starts",
                "99999999999 * * * *   | minute 99999999999 is not from 0 to 59",
                "* * * *               | it is not a cron expression",
                "* * * * * *           | it is not a cron expression",
                "@reboot               | it is not a cron expression",
                "''                    | it is not a cron expression",
                "0-30/ * * * *         | it is not a cron expression",
                "+5 * * * *            | it is not a cron expression",
                "/6/ * * * *          | it is not a cron expression",
                "0 0 L * *             | day of month L is not from 1 to 31",
                "0 0 ? * *             | it is not a cron expression",
                "0 0 * * 5#2           | it is not a cron expression",
                "1,,2 * * * *          | it is not a cron expression",
                "5/15/2 * * * *        | it is not a cron expression",
            })
    void rejectsInvalidExpressionWithReason(String expression, String reason) {
        assertThatThrownBy(() -> CronExpression.of(expression, ZoneOffset.UTC))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("cron \"" + expression + "\": ")
                .hasMessageContaining(reason)
                .hasMessageEndingWith("; write minute, hour, day of month, month and day of week, such as"
                        + " \"30 2 * * MON-FRI\", or one of @hourly, @daily, @midnight, @weekly, @monthly, @yearly,"
                        + " @annually");
    }

    @Test
    void anyTextIsEitherRejectedOrRuns() {
        Property.forAll(10_000, gen -> {
            String expression = IntStream.range(0, 5)
                    .mapToObj(field -> gen.oneIn(2) ? "*" : anyText(gen))
                    .collect(Collectors.joining(" "));
            Instant now = Instant.parse("2026-03-01T12:00:00Z");
            try {
                assertThat(CronExpression.of(expression, ZoneOffset.UTC).next(now))
                        .isAfter(now);
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageStartingWith("cron \"" + expression + "\": ");
            }
        });
    }

    private static String anyText(Generator gen) {
        return Stream.generate(() -> gen.oneOf(
                        "0", "1", "5", "7", "31", "60", "*", "/", "/", "-", "-", ",", "MON", "SUN", "FEB", "L", "_",
                        "x"))
                .limit(gen.between(1, 5))
                .collect(Collectors.joining());
    }

    @Test
    void rejectsTooLongExpressionEarly() {
        String longest = " ".repeat(491) + "0 0 * * *";
        assertThat(CronExpression.of(longest, ZoneOffset.UTC).expression()).hasSize(500);
        assertThatThrownBy(() -> CronExpression.of(longest + " ", ZoneOffset.UTC))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cron \"%s…\": it has 501 characters, the maximum is 500", longest);
    }

    @Test
    void equalsComparesTextAndZone() {
        CronExpression berlin = CronExpression.of("0 2 * * *", ZoneId.of("Europe/Berlin"));
        assertThat(berlin)
                .isEqualTo(CronExpression.of("0 2 * * *", ZoneId.of("Europe/Berlin")))
                .hasSameHashCodeAs(CronExpression.of("0 2 * * *", ZoneId.of("Europe/Berlin")))
                .isNotEqualTo(CronExpression.of("0 2 * * *", ZoneId.of("Europe/Paris")))
                .isNotEqualTo(CronExpression.of("0 3 * * *", ZoneId.of("Europe/Berlin")))
                .isNotEqualTo("0 2 * * *");
        assertThat(berlin.hashCode())
                .isNotEqualTo(CronExpression.of("0 3 * * *", ZoneId.of("Europe/Berlin"))
                        .hashCode());
        assertThat(berlin).hasToString("cron 0 2 * * * in Europe/Berlin");
        assertThat(berlin.expression()).isEqualTo("0 2 * * *");
        assertThat(berlin.zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
    }

    @Test
    void rejectsInstantsOutsideLimits() {
        CronExpression cron = CronExpression.of("0 2 * * *", ZoneId.of("Pacific/Kiritimati"));
        assertThat(cron.next(ScheduleLimits.MAX_INSTANT)).isEqualTo(Instant.parse("+10000-01-01T12:00:00Z"));
        assertThatThrownBy(() -> cron.next(Instant.MAX))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("+1000000000-12-31T23:59:59.999999999Z");
    }

    private static List<LocalDateTime> runs(String expression, String after, int count) {
        CronExpression cron = CronExpression.of(expression, ZoneOffset.UTC);
        List<LocalDateTime> runs = new ArrayList<>();
        Instant last = LocalDateTime.parse(after).toInstant(ZoneOffset.UTC);
        for (int i = 0; i < count; i++) {
            last = cron.next(last);
            runs.add(LocalDateTime.ofInstant(last, ZoneOffset.UTC));
        }
        return runs;
    }
}
