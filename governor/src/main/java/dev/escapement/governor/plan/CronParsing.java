package dev.escapement.governor.plan;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.expression.Always;
import com.cronutils.model.field.expression.And;
import com.cronutils.model.field.expression.Between;
import com.cronutils.model.field.expression.Every;
import com.cronutils.model.field.expression.FieldExpression;
import com.cronutils.model.field.expression.On;
import com.cronutils.model.field.value.FieldValue;
import com.cronutils.parser.CronParser;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * From the text of a cron expression to its fields. A library reads the text, with its names, ranges and steps; the
 * dates are found by {@link CronFields}, some hundred times as fast as by the library, and time zones are treated by
 * {@link Cron}, since the library leaves a run out when its local time is skipped.
 */
final class CronParsing {

    private static final Map<String, String> NICKNAMES = Map.of(
            "@hourly", "0 * * * *",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@weekly", "0 0 * * 0",
            "@monthly", "0 0 1 * *",
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *");

    /** The library's parser would also take {@code 5|}, {@code /6/} and {@code +5}, and fall over {@code 0-30/}. */
    private static final Pattern ITEM = Pattern.compile("(\\*|\\w+(-\\w+)?)(/\\d+)?");

    private static final Pattern SHAPE = Pattern.compile("%1$s(,%1$s)*( %1$s(,%1$s)*){4}".formatted(ITEM));

    /** The library takes Sunday by its name for day 7 only, with which no range can start. */
    private static final Pattern FROM_SUNDAY = Pattern.compile("\\bSUN-");

    private static final String FORMAT =
            "write minute, hour, day of month, month and day of week, such as \"30 2 * * MON-FRI\", or one of @hourly,"
                    + " @daily, @midnight, @weekly, @monthly, @yearly, @annually";

    private static final int LONGEST = 500;

    private static final CronParser PARSER = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    private CronParsing() {}

    static CronFields parse(String text) {
        if (text.length() > LONGEST) {
            throw refusal(
                    text.substring(0, LONGEST) + "…",
                    "it has %d characters, the most is %d".formatted(text.length(), LONGEST));
        }
        String trimmed = text.strip().toUpperCase(Locale.ROOT).replaceAll("\\s+", " ");
        String expression = NICKNAMES.getOrDefault(trimmed.toLowerCase(Locale.ROOT), trimmed);
        if (!SHAPE.matcher(expression).matches()) {
            throw refusal(text, "it is not a cron expression; " + FORMAT);
        }
        CronFields fields = read(text, FROM_SUNDAY.matcher(expression).replaceAll("0-"));
        if (!fields.canMatch()) {
            throw refusal(text, "it can never run, because none of its months has such a day");
        }
        return fields;
    }

    private static CronFields read(String text, String expression) {
        try {
            var parsed = PARSER.parse(expression);
            return new CronFields(
                    bits(parsed.retrieve(CronFieldName.MINUTE).getExpression(), 0, 59),
                    bits(parsed.retrieve(CronFieldName.HOUR).getExpression(), 0, 23),
                    days(parsed.retrieve(CronFieldName.DAY_OF_MONTH).getExpression(), 1, 31),
                    bits(parsed.retrieve(CronFieldName.MONTH).getExpression(), 1, 12),
                    days(parsed.retrieve(CronFieldName.DAY_OF_WEEK).getExpression(), 0, 7)
                            .map(CronParsing::sundayIsZero));
        } catch (IllegalArgumentException refused) {
            String reason = String.valueOf(refused.getMessage()).replace("Failed to parse cron expression. ", "");
            throw refusal(text, reason + "; " + FORMAT);
        }
    }

    private static Optional<Long> days(FieldExpression expression, int lowest, int highest) {
        return expression instanceof Always ? Optional.empty() : Optional.of(bits(expression, lowest, highest));
    }

    private static long sundayIsZero(long daysOfWeek) {
        return (daysOfWeek | daysOfWeek >>> 7) & 0x7f;
    }

    private static long bits(FieldExpression expression, int lowest, int highest) {
        return expression instanceof And list
                ? list.getExpressions().stream()
                        .mapToLong(item -> steps(item, 1, lowest, highest))
                        .reduce(0, (some, others) -> some | others)
                : steps(expression, 1, lowest, highest);
    }

    private static long steps(FieldExpression item, int step, int lowest, int highest) {
        if (item instanceof Every every) {
            FieldExpression start = every.getExpression();
            int period = every.getPeriod().getValue();
            // 5/15 means from 5 to the end of the range.
            return start instanceof On on
                    ? range(number(on.getTime()), highest, period)
                    : steps(start, period, lowest, highest);
        }
        if (item instanceof Between between) {
            return range(number(between.getFrom()), number(between.getTo()), step);
        }
        if (item instanceof On on) {
            return 1L << number(on.getTime());
        }
        return range(lowest, highest, step);
    }

    private static long range(int first, int last, int step) {
        long bits = 0;
        for (int value = first; value <= last; value += step) {
            bits |= 1L << value;
        }
        return bits;
    }

    private static int number(FieldValue<?> value) {
        return (Integer) value.getValue();
    }

    private static IllegalArgumentException refusal(String text, String reason) {
        return new IllegalArgumentException("cron \"%s\": %s".formatted(text, reason));
    }
}
