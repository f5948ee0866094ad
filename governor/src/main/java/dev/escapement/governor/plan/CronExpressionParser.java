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
 * {@link CronExpression}, since the library leaves a run out when its local time is skipped.
 */
final class CronExpressionParser {

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

    private static final Pattern EXPRESSION = Pattern.compile("%1$s(,%1$s)*( %1$s(,%1$s)*){4}".formatted(ITEM));

    /** The library takes Sunday by its name for day 7 only, with which no range can start. */
    private static final Pattern SUNDAY_RANGE = Pattern.compile("\\bSUN-");

    private static final String FORMAT_HELP =
            "write minute, hour, day of month, month and day of week, such as \"30 2 * * MON-FRI\", or one of @hourly,"
                    + " @daily, @midnight, @weekly, @monthly, @yearly, @annually";

    private static final int MAX_LENGTH = 500;

    private static final CronParser PARSER = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));

    private CronExpressionParser() {}

    static CronFields parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw invalidExpression(
                    text.substring(0, MAX_LENGTH) + "…",
                    "it has %d characters, the most is %d".formatted(text.length(), MAX_LENGTH));
        }
        String trimmed = text.strip().toUpperCase(Locale.ROOT).replaceAll("\\s+", " ");
        String expression = NICKNAMES.getOrDefault(trimmed.toLowerCase(Locale.ROOT), trimmed);
        if (!EXPRESSION.matcher(expression).matches()) {
            throw invalidExpression(text, "it is not a cron expression; " + FORMAT_HELP);
        }
        CronFields fields = parseFields(text, SUNDAY_RANGE.matcher(expression).replaceAll("0-"));
        if (!fields.canMatch()) {
            throw invalidExpression(text, "it can never run, because none of its months has such a day");
        }
        return fields;
    }

    private static CronFields parseFields(String text, String expression) {
        try {
            var parsed = PARSER.parse(expression);
            return new CronFields(
                    fieldBits(parsed.retrieve(CronFieldName.MINUTE).getExpression(), 0, 59),
                    fieldBits(parsed.retrieve(CronFieldName.HOUR).getExpression(), 0, 23),
                    dayBits(parsed.retrieve(CronFieldName.DAY_OF_MONTH).getExpression(), 1, 31),
                    fieldBits(parsed.retrieve(CronFieldName.MONTH).getExpression(), 1, 12),
                    dayBits(parsed.retrieve(CronFieldName.DAY_OF_WEEK).getExpression(), 0, 7)
                            .map(CronExpressionParser::normalizeSunday));
        } catch (IllegalArgumentException refused) {
            String reason = String.valueOf(refused.getMessage()).replace("Failed to parse cron expression. ", "");
            throw invalidExpression(text, reason + "; " + FORMAT_HELP);
        }
    }

    private static Optional<Long> dayBits(FieldExpression expression, int lowest, int highest) {
        return expression instanceof Always ? Optional.empty() : Optional.of(fieldBits(expression, lowest, highest));
    }

    private static long normalizeSunday(long daysOfWeek) {
        return (daysOfWeek | daysOfWeek >>> 7) & 0x7f;
    }

    private static long fieldBits(FieldExpression expression, int lowest, int highest) {
        return expression instanceof And list
                ? list.getExpressions().stream()
                        .mapToLong(item -> stepBits(item, 1, lowest, highest))
                        .reduce(0, (some, others) -> some | others)
                : stepBits(expression, 1, lowest, highest);
    }

    private static long stepBits(FieldExpression item, int step, int lowest, int highest) {
        if (item instanceof Every every) {
            FieldExpression start = every.getExpression();
            int period = every.getPeriod().getValue();
            // 5/15 means from 5 to the end of the range.
            return start instanceof On on
                    ? rangeBits(intValue(on.getTime()), highest, period)
                    : stepBits(start, period, lowest, highest);
        }
        if (item instanceof Between between) {
            return rangeBits(intValue(between.getFrom()), intValue(between.getTo()), step);
        }
        if (item instanceof On on) {
            return 1L << intValue(on.getTime());
        }
        return rangeBits(lowest, highest, step);
    }

    private static long rangeBits(int first, int last, int step) {
        long bits = 0;
        for (int value = first; value <= last; value += step) {
            bits |= 1L << value;
        }
        return bits;
    }

    private static int intValue(FieldValue<?> value) {
        return (Integer) value.getValue();
    }

    private static IllegalArgumentException invalidExpression(String text, String reason) {
        return new IllegalArgumentException("cron \"%s\": %s".formatted(text, reason));
    }
}
