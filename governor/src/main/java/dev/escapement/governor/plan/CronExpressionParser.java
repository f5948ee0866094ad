package dev.escapement.governor.plan;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses a UNIX cron expression of five fields, or a nickname such as {@code @daily}. */
final class CronExpressionParser {

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

    private CronExpressionParser() {}

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
        if (!fields.canMatch()) {
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
                    parseDays(CronField.DAY_OF_WEEK, fields[4]).map(CronExpressionParser::foldSunday));
        } catch (IllegalArgumentException invalid) {
            throw invalidExpression(text, invalid.getMessage() + "; " + FORMAT_HELP);
        }
    }

    private static Optional<Long> parseDays(CronField field, String text) {
        return EVERY_DAY.matcher(text).matches() ? Optional.empty() : Optional.of(field.parse(text));
    }

    /** Sunday is 0 and 7. */
    private static long foldSunday(long daysOfWeek) {
        return (daysOfWeek | daysOfWeek >>> 7) & 0x7f;
    }

    private static IllegalArgumentException invalidExpression(String text, String reason) {
        return new IllegalArgumentException("cron \"%s\": %s".formatted(text, reason));
    }
}
