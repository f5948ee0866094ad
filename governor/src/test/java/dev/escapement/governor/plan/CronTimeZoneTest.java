package dev.escapement.governor.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each line: zone, expression, a time, and the runs after it in local time. */
class CronTimeZoneTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Europe/Berlin       | 30 2 * * *   | 2024-03-30T12:00+01:00 | 2024-03-31T03:00+02:00 2024-04-01T02:30+02:00",
                "Europe/Berlin       | */15 2 * * * | 2024-03-30T12:00+01:00 | 2024-03-31T03:00+02:00 2024-04-01T02:00+02:00",
                "Europe/Berlin       | 0 2,3 * * *  | 2024-03-30T12:00+01:00 | 2024-03-31T03:00+02:00 2024-04-01T02:00+02:00",
                "Europe/Berlin       | 59 1-3 * * * | 2024-03-31T00:00+01:00 | 2024-03-31T01:59+01:00 2024-03-31T03:00+02:00 2024-03-31T03:59+02:00",
                "Europe/Berlin       | 30 2 31 3 *  | 2024-03-01T12:00+01:00 | 2024-03-31T03:00+02:00 2025-03-31T02:30+02:00",
                "America/New_York    | 30 2 * * *   | 2024-03-09T12:00-05:00 | 2024-03-10T03:00-04:00 2024-03-11T02:30-04:00",
                "Europe/London       | 30 1 * * *   | 2024-03-30T12:00Z      | 2024-03-31T02:00+01:00 2024-04-01T01:30+01:00",
                "Australia/Lord_Howe | 15 2 * * *   | 2024-10-05T12:00+10:30 | 2024-10-06T02:30+11:00 2024-10-07T02:15+11:00",
                "America/Sao_Paulo   | 0 0 * * *    | 2018-11-03T12:00-03:00 | 2018-11-04T01:00-02:00 2018-11-05T00:00-02:00",
                "Africa/Cairo        | 30 0 * * *   | 2024-04-25T12:00+02:00 | 2024-04-26T01:00+03:00 2024-04-27T00:30+03:00",
                "America/Caracas     | 45 2 * * *   | 2016-04-30T12:00-04:30 | 2016-05-01T03:00-04:00 2016-05-02T02:45-04:00",
                "Asia/Tehran         | 30 0 * * *   | 2021-03-21T12:00+03:30 | 2021-03-22T01:00+04:30 2021-03-23T00:30+04:30",
                "Asia/Kathmandu      | 45 5 * * *   | 2024-03-30T12:00+05:45 | 2024-03-31T05:45+05:45 2024-04-01T05:45+05:45",
            })
    void skippedLocalTimeRunsOnceAtEndOfGap(String zone, String expression, String after, String runs) {
        verify(zone, expression, after, runs);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Europe/Berlin       | 30 2 * * *   | 2024-10-26T12:00+02:00 | 2024-10-27T02:30+02:00 2024-10-28T02:30+01:00",
                "Europe/Berlin       | 0 */2 * * *  | 2024-10-27T01:00+02:00 | 2024-10-27T02:00+02:00 2024-10-27T04:00+01:00",
                "Europe/Berlin       | 30 2,3 * * * | 2024-10-27T02:15+01:00 | 2024-10-27T03:30+01:00 2024-10-28T02:30+01:00",
                "Europe/Berlin       | 0 2,3 * * *  | 2024-10-27T02:00+01:00 | 2024-10-27T03:00+01:00 2024-10-28T02:00+01:00",
                "Europe/Berlin       | 0 2,3 * * *  | 2024-10-27T01:59+02:00 | 2024-10-27T02:00+02:00 2024-10-27T03:00+01:00",
                "America/New_York    | 30 1 * * *   | 2024-11-02T12:00-04:00 | 2024-11-03T01:30-04:00 2024-11-04T01:30-05:00",
                "Europe/London       | 30 1 * * *   | 2024-10-26T12:00+01:00 | 2024-10-27T01:30+01:00 2024-10-28T01:30Z",
                "Australia/Lord_Howe | 45 1 * * *   | 2024-04-06T12:00+11:00 | 2024-04-07T01:45+11:00 2024-04-08T01:45+10:30",
                "America/Sao_Paulo   | 30 23 * * *  | 2018-02-17T12:00-02:00 | 2018-02-17T23:30-02:00 2018-02-18T23:30-03:00",
                "Africa/Cairo        | 0 23 * * *   | 2024-10-31T12:00+03:00 | 2024-10-31T23:00+03:00 2024-11-01T23:00+02:00",
                "America/Caracas     | 45 2 * * *   | 2007-12-08T12:00-04:00 | 2007-12-09T02:45-04:00 2007-12-10T02:45-04:30",
                "Asia/Tehran         | 30 23 * * *  | 2021-09-21T12:00+04:30 | 2021-09-21T23:30+04:30 2021-09-22T23:30+03:30",
                "Antarctica/Casey    | 30 0 * * *   | 2010-03-04T12:00+11:00 | 2010-03-05T00:30+11:00 2010-03-06T00:30+08:00",
            })
    void repeatedLocalTimeRunsFirstTimeOnly(String zone, String expression, String after, String runs) {
        verify(zone, expression, after, runs);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Europe/Berlin       | */30 * * * *   | 2024-03-31T01:00+01:00 | 2024-03-31T01:30+01:00 2024-03-31T03:00+02:00 2024-03-31T03:30+02:00",
                "Europe/Berlin       | */30 * * * *   | 2024-10-27T01:30+02:00 | 2024-10-27T02:00+02:00 2024-10-27T02:30+02:00 2024-10-27T02:00+01:00 2024-10-27T02:30+01:00 2024-10-27T03:00+01:00",
                "America/New_York    | @hourly        | 2024-11-03T00:30-04:00 | 2024-11-03T01:00-04:00 2024-11-03T01:00-05:00 2024-11-03T02:00-05:00",
                "America/New_York    | 0 0-23 * * *   | 2024-03-10T00:30-05:00 | 2024-03-10T01:00-05:00 2024-03-10T03:00-04:00",
                "America/Sao_Paulo   | 30 */1 * * *   | 2018-11-03T23:00-03:00 | 2018-11-03T23:30-03:00 2018-11-04T01:30-02:00",
                "Australia/Lord_Howe | 0 * * * *      | 2024-10-06T00:30+10:30 | 2024-10-06T01:00+10:30 2024-10-06T03:00+11:00",
                "Australia/Lord_Howe | 30 * * * *     | 2024-04-07T01:00+11:00 | 2024-04-07T01:30+11:00 2024-04-07T01:30+10:30 2024-04-07T02:30+10:30",
                "Europe/Berlin       | 0 * 29 2 *     | 2024-02-29T22:30+01:00 | 2024-02-29T23:00+01:00 2028-02-29T00:00+01:00",
                "Africa/Cairo        | 15 * * * *     | 2024-04-25T23:00+02:00 | 2024-04-25T23:15+02:00 2024-04-26T01:15+03:00",
                "Asia/Kathmandu      | 0 * * * *      | 2024-03-31T01:30+05:45 | 2024-03-31T02:00+05:45 2024-03-31T03:00+05:45",
            })
    void hourlyScheduleFollowsRealTime(String zone, String expression, String after, String runs) {
        verify(zone, expression, after, runs);
    }

    /** Samoa crossed the date line and skipped Friday, 30 December 2011. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Pacific/Apia | 0 12 * * * | 2011-12-29T00:00-10:00 | 2011-12-29T12:00-10:00 2011-12-31T00:00+14:00 2011-12-31T12:00+14:00",
                "Pacific/Apia | 0 0 * * *  | 2011-12-28T12:00-10:00 | 2011-12-29T00:00-10:00 2011-12-31T00:00+14:00 2012-01-01T00:00+14:00",
                "Pacific/Apia | 0 9 * * 5  | 2011-12-28T12:00-10:00 | 2011-12-31T00:00+14:00 2012-01-06T09:00+14:00",
                "Pacific/Apia | 0 * * * *  | 2011-12-29T22:30-10:00 | 2011-12-29T23:00-10:00 2011-12-31T00:00+14:00 2011-12-31T01:00+14:00",
            })
    void runsOfSkippedDateMoveToFirstInstantAfterIt(String zone, String expression, String after, String runs) {
        verify(zone, expression, after, runs);
    }

    private static void verify(String zone, String expression, String after, String runs) {
        List<OffsetDateTime> expected =
                Stream.of(runs.split(" ")).map(OffsetDateTime::parse).toList();
        CronExpression cron = CronExpression.of(expression, ZoneId.of(zone));
        List<OffsetDateTime> found = new ArrayList<>();
        Instant last = OffsetDateTime.parse(after).toInstant();
        for (int i = 0; i < expected.size(); i++) {
            last = cron.next(last);
            found.add(last.atZone(ZoneId.of(zone)).toOffsetDateTime());
        }
        assertThat(found).isEqualTo(expected);
    }
}
