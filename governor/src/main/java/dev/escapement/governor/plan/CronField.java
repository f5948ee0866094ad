package dev.escapement.governor.plan;

import java.util.List;

/** A field of a cron expression: its bounds and names. */
enum CronField {
    MINUTE("minute", 0, 59, ""),
    HOUR("hour", 0, 23, ""),
    DAY_OF_MONTH("day of month", 1, 31, ""),
    MONTH("month", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
    DAY_OF_WEEK("day of week", 0, 7, "SUN MON TUE WED THU FRI SAT");

    private final String title;
    private final int lowest;
    private final int highest;
    /** Of the values from the lowest, separated by spaces; empty if the field has no names. */
    private final String names;

    CronField(String title, int lowest, int highest, String names) {
        this.title = title;
        this.lowest = lowest;
        this.highest = highest;
        this.names = names;
    }

    /**
     * Parses a list of values, ranges and steps in upper case into a set of bits.
     *
     * @throws IllegalArgumentException if a value or a step is out of bounds, or a range ends before it starts
     */
    long parse(String text) {
        long bits = 0;
        for (String item : text.split(",", -1)) {
            bits |= parseItem(item);
        }
        return bits;
    }

    private long parseItem(String item) {
        String[] rangeAndStep = item.split("/", 2);
        boolean hasStep = rangeAndStep.length == 2;
        int step = hasStep ? parseStep(rangeAndStep[1]) : 1;
        String[] range = rangeAndStep[0].split("-", 2);
        if (range[0].equals("*")) {
            return rangeBits(lowest, highest, step);
        }
        int first = parseValue(range[0]);
        if (range.length == 1) {
            // Sunday has two numbers: 7/2 means the same as 0/2.
            int from = this == DAY_OF_WEEK ? first % 7 : first;
            // 5/15 means from 5 to the highest value.
            return rangeBits(from, hasStep ? highest : from, step);
        }
        // A range can also end with Sunday.
        int last = this == DAY_OF_WEEK && range[1].equals("SUN") ? highest : parseValue(range[1]);
        if (last < first) {
            throw new IllegalArgumentException("%s range %s ends before it starts".formatted(title, rangeAndStep[0]));
        }
        return rangeBits(first, last, step);
    }

    private int parseStep(String text) {
        int step = parseNumber(text);
        if (step < 1 || step > highest) {
            throw new IllegalArgumentException("%s step %s is not from 1 to %d".formatted(title, text, highest));
        }
        return step;
    }

    private int parseValue(String text) {
        int position = List.of(names.split(" ", -1)).indexOf(text);
        int value = position < 0 ? parseNumber(text) : lowest + position;
        if (value < lowest || value > highest) {
            String orNames = names.isEmpty()
                    ? ""
                    : " or " + names.substring(0, 3) + " to " + names.substring(names.length() - 3);
            throw new IllegalArgumentException(
                    "%s %s is not from %d to %d%s".formatted(title, text, lowest, highest, orNames));
        }
        return value;
    }

    /** Returns -1, which is out of bounds in every field, for what is not a number. */
    private static int parseNumber(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException notANumber) {
            return -1;
        }
    }

    private static long rangeBits(int first, int last, int step) {
        long bits = 0;
        for (int value = first; value <= last; value += step) {
            bits |= 1L << value;
        }
        return bits;
    }
}
