package dev.escapement.process.catalogue;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;

/**
 * The regular expression that the value of a parameter must match. Its engine, RE2, needs time in proportion to the
 * length of the value, whatever the expression: no value can occupy a worker. What RE2 cannot do, such as references to
 * groups and looking ahead, is refused.
 */
public final class ParameterPattern {

    /** Longer values are refused without matching them. */
    static final int MAX_VALUE_LENGTH = 4096;

    private static final int MAX_LENGTH = 1000;
    /** RE2 writes a repeated part out as often as its count says, so counts inside of each other multiply. */
    private static final int MAX_REPETITIONS = 1000;
    /** Bounds the depth of the stack, and with the length of a value the time of a match: some tenths of a second. */
    private static final int MAX_PROGRAM_SIZE = 2000;

    private static final java.util.regex.Pattern TOKEN = java.util.regex.Pattern.compile(
            "\\\\Q.*?\\\\E|\\\\.|\\[\\^?]?(?:\\\\.|[^]\\\\])*]|\\{(\\d{1,4})(?:,(\\d{0,4}))?}|.",
            java.util.regex.Pattern.DOTALL);

    private final Pattern pattern;

    private ParameterPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /**
     * Compiles an expression.
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    static ParameterPattern compile(String regex) {
        if (regex.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "has %d characters: the limit is %d".formatted(regex.length(), MAX_LENGTH));
        }
        if (regex.contains("&&")) {
            // RE2 would read it as two characters.
            throw new IllegalArgumentException("has &&, and classes cannot be intersected: list the characters");
        }
        long repetitions = largestNestedRepetition(regex);
        if (repetitions > MAX_REPETITIONS) {
            throw new IllegalArgumentException(
                    "repeats a part %d times: the limit is %d, with counts inside of each other multiplied"
                            .formatted(repetitions, MAX_REPETITIONS));
        }
        Pattern pattern = parse(regex);
        if (pattern.programSize() > MAX_PROGRAM_SIZE) {
            throw new IllegalArgumentException(
                    "is too large with all its repetitions written out (%d steps, the limit is %d): use lower counts"
                            .formatted(pattern.programSize(), MAX_PROGRAM_SIZE));
        }
        return new ParameterPattern(pattern);
    }

    private static Pattern parse(String regex) {
        try {
            return Pattern.compile(regex);
        } catch (PatternSyntaxException invalid) {
            throw new IllegalArgumentException(
                    "is not a regular expression of RE2, which has no references to groups and does not look ahead or"
                            + " behind: "
                            + invalid.getDescription() + " in " + invalid.getPattern(),
                    invalid);
        }
    }

    /** Returns the largest product of counts inside of each other: 6 for {@code (a{2}b){3}}. */
    private static long largestNestedRepetition(String regex) {
        Deque<Long> outerGroups = new ArrayDeque<>();
        long inGroup = 1;
        long repeatable = 1;
        Matcher token = TOKEN.matcher(regex);
        while (token.find()) {
            if (token.group().equals("(")) {
                outerGroups.push(inGroup);
                inGroup = 1;
            } else if (token.group().equals(")")) {
                repeatable = inGroup;
                inGroup = outerGroups.isEmpty() ? inGroup : Math.max(inGroup, outerGroups.pop());
            } else if (token.group(1) != null) {
                String upper = token.group(2);
                int count = Integer.parseInt(upper == null || upper.isEmpty() ? token.group(1) : upper);
                repeatable = Math.min(repeatable * Math.max(count, 1), Integer.MAX_VALUE);
                inGroup = Math.max(inGroup, repeatable);
            } else {
                repeatable = 1;
            }
        }
        return inGroup;
    }

    /** Returns whether the whole value matches. */
    boolean matches(String value) {
        return pattern.matches(value);
    }

    /** Returns the expression as written. */
    @Override
    public String toString() {
        return pattern.pattern();
    }
}
