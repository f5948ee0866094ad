package dev.escapement.governor.plan;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The five fields of a UNIX cron expression as sets of bits. Finds the next local time that they match.
 *
 * @param minutes bits 0 to 59
 * @param hours bits 0 to 23
 * @param daysOfMonth bits 1 to 31; empty if unrestricted
 * @param months bits 1 to 12
 * @param daysOfWeek bits 0 (Sunday) to 6; empty if unrestricted
 */
record CronFields(long minutes, long hours, Optional<Long> daysOfMonth, long months, Optional<Long> daysOfWeek) {

    private static final Map<String, String> NICKNAMES = Map.of(
            "@hourly", "0 * * * *",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@weekly", "0 0 * * 0",
            "@monthly", "0 0 1 * *",
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *");

    private static final String ITEM = "(\\*|\\w+(-\\w+)?)(/\\d+)?";
    private static final Pattern EXPRESSION = Pattern.compile("%1$s(,%1$s)*( %1$s(,%1$s)*){4}".formatted(ITEM));

    private static final Pattern EVERY_DAY = Pattern.compile("\\*(/0*1)?");

    private static final String FORMAT_HELP =
            "write minute, hour, day of month, month and day of week, such as \"30 2 * * MON-FRI\", or one of @hourly,"
                    + " @daily, @midnight, @weekly, @monthly, @yearly, @annually";

    private static final int MAX_LENGTH = 500;

    /** 29 February can be eight years away (1896 to 1904); the first month counts too. */
    private static final int MAX_MONTHS_SEARCHED = 8 * 12 + 1;

    private static final long EVERY_HOUR = (1L << 24) - 1;

    /**
     * Parses an expression of five fields, or a nickname such as {@code @daily}.
     *
     * @throws IllegalArgumentException if it is malformed or can never match; the message has the text and the reason
     */
    static CronFields parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw invalidExpression(
                    text.substring(0, MAX_LENGTH) + "…",
                    "it has %d characters, the maximum is %d".formatted(text.length(), MAX_LENGTH));
        }
        String trimmed = text.strip().toUpperCase(Locale.ROOT).replaceAll("\\s+", " ");
        String expression = NICKNAMES.getOrDefault(trimmed.toLowerCase(Locale.ROOT), trimmed);
        if (!EXPRESSION.matcher(expression).matches()) {
            throw invalidExpression(text, "it is not a cron expression; " + FORMAT_HELP);
        }
        CronFields fields = parseFields(text, expression.split(" ", -1));
        // Such as 30 February.
        if (fields.firstMatchingDay(LocalDate.EPOCH).isEmpty()) {
            throw invalidExpression(text, "it can never run, because none of its months has such a day");
        }
        return fields;
    }

    private static CronFields parseFields(String text, String[] fields) {
        try {
            return new CronFields(
                    CronField.MINUTE.parse(fields[0]),
                    CronField.HOUR.parse(fields[1]),
                    parseDays(CronField.DAY_OF_MONTH, fields[2]),
                    CronField.MONTH.parse(fields[3]),
                    // Sunday is 0 and 7.
                    parseDays(CronField.DAY_OF_WEEK, fields[4]).map(days -> (days | days >>> 7) & 0x7f));
        } catch (IllegalArgumentException invalid) {
            throw invalidExpression(text, invalid.getMessage() + "; " + FORMAT_HELP);
        }
    }

    private static Optional<Long> parseDays(CronField field, String text) {
        return EVERY_DAY.matcher(text).matches() ? Optional.empty() : Optional.of(field.parse(text));
    }

    private static IllegalArgumentException invalidExpression(String text, String reason) {
        return new IllegalArgumentException("cron \"%s\": %s".formatted(text, reason));
    }

    boolean matchesEveryHour() {
        return hours == EVERY_HOUR;
    }

    /** Returns the first match at or after {@code from}, a whole minute. */
    LocalDateTime nextMatch(LocalDateTime from) {
        LocalDate today = from.toLocalDate();
        if (firstMatchingDay(today).filter(today::equals).isPresent()) {
            Optional<LocalDateTime> laterToday = nextOnDay(today, from.getHour(), from.getMinute());
            if (laterToday.isPresent()) {
                return laterToday.get();
            }
        }
        LocalDate day = firstMatchingDay(today.plusDays(1)).orElseThrow();
        return day.atTime(lowestBit(hours), lowestBit(minutes));
    }

    private Optional<LocalDateTime> nextOnDay(LocalDate day, int hour, int minute) {
        long minutesOfThisHour = bitsFrom(minute, minutes);
        if (hasBit(hour, hours) && minutesOfThisHour != 0) {
            return Optional.of(day.atTime(hour, lowestBit(minutesOfThisHour)));
        }
        long laterHours = bitsFrom(hour + 1, hours);
        return laterHours == 0 ? Optional.empty() : Optional.of(day.atTime(lowestBit(laterHours), lowestBit(minutes)));
    }

    private Optional<LocalDate> firstMatchingDay(LocalDate from) {
        YearMonth month = YearMonth.from(from);
        long days = bitsFrom(from.getDayOfMonth(), matchingDays(month));
        for (int searched = 1; days == 0 && searched < MAX_MONTHS_SEARCHED; searched++) {
            month = month.plusMonths(1);
            days = matchingDays(month);
        }
        return days == 0 ? Optional.empty() : Optional.of(month.atDay(lowestBit(days)));
    }

    private long matchingDays(YearMonth month) {
        if (!hasBit(month.getMonthValue(), months)) {
            return 0;
        }
        long all = (2L << month.lengthOfMonth()) - 2;
        if (daysOfMonth.isEmpty() && daysOfWeek.isEmpty()) {
            return all;
        }
        return all
                & (daysOfMonth.orElse(0L)
                        | daysOfWeek.map(days -> daysOnWeekdays(days, month)).orElse(0L));
    }

    /** Returns the days of a month with the given days of the week; bits beyond the end of the month may be set. */
    private static long daysOnWeekdays(long daysOfWeek, YearMonth month) {
        int firstDayOfWeek = month.atDay(1).getDayOfWeek().getValue() % 7;
        long days = 0;
        for (int day = 1; day <= 31; day++) {
            if (hasBit((firstDayOfWeek + day - 1) % 7, daysOfWeek)) {
                days |= 1L << day;
            }
        }
        return days;
    }

    private static boolean hasBit(int bit, long bits) {
        return (bits >>> bit & 1) != 0;
    }

    private static long bitsFrom(int bit, long bits) {
        return bits & -1L << bit;
    }

    private static int lowestBit(long bits) {
        return Long.numberOfTrailingZeros(bits);
    }
}
