package dev.escapement.governor.plan;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * A UNIX cron expression of five fields, or {@code @hourly}, {@code @daily}, {@code @midnight}, {@code @weekly},
 * {@code @monthly}, {@code @yearly}, {@code @annually}, in a time zone.
 *
 * <p>A day matches if its month does and, as in UNIX, if day of month <em>or</em> day of week does when both are
 * restricted; a field is unrestricted only if it is {@code *} or {@code *}{@code /1}.
 *
 * <p>When local time jumps, as at the start and the end of daylight saving time:
 *
 * <ol>
 *   <li>An expression whose hour field matches every hour follows real time: it runs at every instant whose local time
 *       matches. It runs in both passes of a repeated hour, and not for a skipped one.
 *   <li>Every other expression runs each matching local time exactly once. A skipped local time runs at the instant at
 *       which the gap ends; several in one gap run once. A repeated local time runs in its first pass only. If a whole
 *       date is skipped, its runs move to the first instant of the next date.
 * </ol>
 *
 * <p>No run is before its nominal time. Immutable and thread-safe.
 *
 * @param expression as written
 * @param fields the parsed expression
 */
public record CronExpression(String expression, ZoneId zone, CronFields fields) implements Baseline {

    /**
     * Parses an expression.
     *
     * @throws IllegalArgumentException if it is malformed or can never match; the message has the text and the reason
     */
    public static CronExpression of(String expression, ZoneId zone) {
        return new CronExpression(expression, zone, CronFields.parse(expression));
    }

    /** Returns the first run strictly after the given time. */
    public Instant next(Instant after) {
        ScheduleLimits.checkInstant("after", after);
        return fields.matchesEveryHour() ? nextInRealTime(after) : nextLocalTimeOnce(after);
    }

    /** Searches one period of constant offset after the other. */
    private Instant nextInRealTime(Instant after) {
        ZoneRules rules = zone.getRules();
        Instant from = after.plusNanos(1);
        while (true) {
            ZoneOffset offset = rules.getOffset(from);
            LocalDateTime local = LocalDateTime.ofInstant(from, offset);
            Instant run = fields.nextMatch(roundUpToMinute(local)).toInstant(offset);
            ZoneOffsetTransition change = rules.nextTransition(from);
            if (change == null || run.isBefore(change.getInstant())) {
                return run;
            }
            from = change.getInstant();
        }
    }

    /** Local times have the same order as the instants at which they run: the next local time is the next run. */
    private Instant nextLocalTimeOnce(Instant after) {
        ZoneRules rules = zone.getRules();
        LocalDateTime local = LocalDateTime.ofInstant(after, zone);
        ZoneOffsetTransition change = rules.getTransition(local);
        boolean secondPass = change != null && rules.getOffset(after).equals(change.getOffsetAfter());
        LocalDateTime from = secondPass ? change.getDateTimeBefore() : local.plusNanos(1);
        LocalDateTime next = fields.nextMatch(roundUpToMinute(from));
        ZoneOffsetTransition jump = rules.getTransition(next);
        // For a repeated local time, the rules return the offset of the first pass.
        return jump != null && jump.isGap() ? jump.getInstant() : next.toInstant(rules.getOffset(next));
    }

    private static LocalDateTime roundUpToMinute(LocalDateTime time) {
        LocalDateTime minute = time.truncatedTo(ChronoUnit.MINUTES);
        return minute.equals(time) ? minute : minute.plusMinutes(1);
    }

    @Override
    public String toString() {
        return "cron %s in %s".formatted(expression, zone);
    }
}
