package dev.escapement.governor.plan;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.util.Optional;

/**
 * The five fields of a cron expression as sets of bits. Finds the next local time that they match.
 *
 * @param minutes bits 0 to 59
 * @param hours bits 0 to 23
 * @param daysOfMonth bits 1 to 31; empty if unrestricted
 * @param months bits 1 to 12
 * @param daysOfWeek bits 0 (Sunday) to 6; empty if unrestricted
 */
record CronFields(long minutes, long hours, Optional<Long> daysOfMonth, long months, Optional<Long> daysOfWeek) {

    /** 29 February can be eight years away (1896 to 1904); the first month counts too. */
    private static final int MAX_MONTHS_SEARCHED = 8 * 12 + 1;

    private static final long EVERY_HOUR = (1L << 24) - 1;

    boolean matchesEveryHour() {
        return hours == EVERY_HOUR;
    }

    /** Returns false for a day that none of the months has, such as 30 February. */
    boolean canMatch() {
        return firstMatchingDay(LocalDate.EPOCH).isPresent();
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
