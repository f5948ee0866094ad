package dev.escapement.governor.plan;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Objects;

/**
 * Runs when the clock on the wall says so: a UNIX cron expression of five fields, or {@code @hourly}, {@code @daily},
 * {@code @midnight}, {@code @weekly}, {@code @monthly}, {@code @yearly}, {@code @annually}, in a time zone.
 *
 * <p>A day matches if its month does and, as in every UNIX, if day of month <em>or</em> day of week does when both are
 * restricted; a field is unrestricted only if it is {@code *} (or {@code *}{@code /1}).
 *
 * <p>When the clock on the wall is changed:
 *
 * <ol>
 *   <li>An expression whose hour field matches every hour follows real time: it runs at every instant at which the wall
 *       shows a matching time. So it runs in both passes of a doubled hour, and makes up for nothing in a skipped one.
 *   <li>Every other expression runs each matching local time exactly once. A local time that is skipped runs at the
 *       instant at which the gap ends; what falls together there runs once. A local time that comes twice runs the
 *       first time only. If a whole date is skipped, its runs fall to the first instant of the date after it.
 * </ol>
 *
 * <p>No run is before its nominal time. Immutable and safe to share; it is parsed once.
 */
public final class CronExpression implements Baseline {

    private final String expression;
    private final ZoneId zone;
    private final ZoneRules rules;
    private final CronFields fields;

    private CronExpression(String expression, ZoneId zone) {
        this.expression = expression;
        this.zone = zone;
        this.rules = zone.getRules();
        this.fields = CronExpressionParser.parse(expression);
    }

    /**
     * Reads an expression.
     *
     * @throws IllegalArgumentException if it is malformed or can never come true; the message has the text and the
     *     reason
     */
    public static CronExpression of(String expression, ZoneId zone) {
        return new CronExpression(expression, zone);
    }

    /** The text as it was given. */
    public String expression() {
        return expression;
    }

    /** Where the clock hangs. */
    public ZoneId zone() {
        return zone;
    }

    /** The first run strictly after the given time. */
    public Instant next(Instant after) {
        ScheduleLimits.checkInstant("after", after);
        return fields.matchesEveryHour() ? nextInRealTime(after) : nextLocalTimeOnce(after);
    }

    /** Looks at one stretch of constant offset after the other. */
    private Instant nextInRealTime(Instant after) {
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

    /** Local times and the instants at which they run are in the same order, so the next of one is the next of both. */
    private Instant nextLocalTimeOnce(Instant after) {
        LocalDateTime local = LocalDateTime.ofInstant(after, zone);
        ZoneOffsetTransition change = rules.getTransition(local);
        boolean secondPass = change != null && rules.getOffset(after).equals(change.getOffsetAfter());
        LocalDateTime from = secondPass ? change.getDateTimeBefore() : local.plusNanos(1);
        return toInstant(fields.nextMatch(roundUpToMinute(from)));
    }

    private Instant toInstant(LocalDateTime local) {
        ZoneOffsetTransition change = rules.getTransition(local);
        // For a doubled local time, the rules' offset is that of the first pass.
        return change != null && change.isGap() ? change.getInstant() : local.toInstant(rules.getOffset(local));
    }

    private static LocalDateTime roundUpToMinute(LocalDateTime time) {
        LocalDateTime minute = time.truncatedTo(ChronoUnit.MINUTES);
        return minute.equals(time) ? minute : minute.plusMinutes(1);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CronExpression that && expression.equals(that.expression) && zone.equals(that.zone);
    }

    @Override
    public int hashCode() {
        return Objects.hash(expression, zone);
    }

    @Override
    public String toString() {
        return "cron %s in %s".formatted(expression, zone);
    }
}
