package dev.escapement.common;

import java.util.regex.Pattern;

/**
 * Makes text from outside (users, workflows, servers) safe to store and to show: it cannot move a terminal's cursor,
 * forge a log line, hide or reverse what is written, or be refused by a database.
 *
 * <p>{@link #sanitize} and {@link #quote} are for messages, {@link #multiLine} for terminals, {@link #printable} for
 * excerpts that keep their lines, {@link #storable} for database columns.
 */
public final class SafeText {

    /** Marks the place where text was cut off. */
    public static final String ELLIPSIS = "…";

    /** Stands for a character that was replaced. */
    public static final char REPLACEMENT = '\uFFFD';

    /** Colours and cursor movements: an introducer, then parameters up to the letter that ends them. */
    private static final Pattern CONTROL_SEQUENCE =
            Pattern.compile("(\\x1b\\[|\\x9b)[\\x20-\\x3f]*[\\x00-\\x7e]?|\\x1b");

    private static final Pattern NOT_STORABLE = Pattern.compile("[\\x00\\p{Cs}]");

    private SafeText() {}

    /**
     * Returns the text on one line. Runs of white space and invisible characters become one space.
     *
     * @param maxLength in UTF-16 units, the {@link #ELLIPSIS} of a cut included; at least 1
     */
    public static String sanitize(String text, int maxLength) {
        StringBuilder line = new StringBuilder();
        boolean gap = false;
        // The text may be megabytes long: no more of it is read than is kept.
        for (int i = 0; i < text.length() && line.length() <= maxLength; ) {
            int character = text.codePointAt(i);
            i += Character.charCount(character);
            if (isInvisible(character) || Character.getType(character) == Character.SPACE_SEPARATOR) {
                gap = line.length() > 0;
                continue;
            }
            if (gap) {
                line.append(' ');
                gap = false;
            }
            line.appendCodePoint(character);
        }
        return line.length() <= maxLength ? line.toString() : truncate(line, maxLength);
    }

    /** Returns {@link #sanitize} between double quotes; double quotes in the text become single ones. */
    public static String quote(String text, int maxLength) {
        return '"' + sanitize(text, maxLength).replace('"', '\'') + '"';
    }

    /** Returns the text with its line breaks and tabs, without terminal control sequences and invisible characters. */
    public static String multiLine(String text) {
        // A NUL takes the place of a sequence, so that two half surrogate pairs around it do not become a character.
        return CONTROL_SEQUENCE
                .matcher(text)
                .replaceAll("\0")
                .codePoints()
                .filter(SafeText::isVisibleInLines)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Returns whether the text has characters other than line breaks and tabs that a reader does not see. */
    public static boolean containsInvisible(String text) {
        return !text.codePoints().allMatch(SafeText::isVisibleInLines);
    }

    private static boolean isVisibleInLines(int character) {
        return character == '\n' || character == '\t' || !isInvisible(character);
    }

    /**
     * Returns the text with every character that is not {@linkplain #isPrintable printable} replaced by
     * {@link #REPLACEMENT}, cut without a mark.
     *
     * @param maxLength in UTF-16 units; a surrogate pair is never split
     */
    public static String printable(String text, int maxLength) {
        StringBuilder printable = new StringBuilder(Math.min(text.length(), maxLength));
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            i += Character.charCount(character);
            int shown = isPrintable(character) ? character : REPLACEMENT;
            if (printable.length() + Character.charCount(shown) > maxLength) {
                break;
            }
            printable.appendCodePoint(shown);
        }
        return printable.toString();
    }

    /**
     * Returns whether a character may stand in a text of several lines: no control character except line breaks and
     * tabs, no unpaired surrogate, no noncharacter and no mark that reverses the direction of the text.
     */
    public static boolean isPrintable(int character) {
        if (character == '\n' || character == '\t' || character == '\r') {
            return true;
        }
        boolean changesDirection =
                (character >= 0x202A && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069);
        boolean nonCharacter = (character & 0xFFFE) == 0xFFFE || (character >= 0xFDD0 && character <= 0xFDEF);
        return !changesDirection
                && !nonCharacter
                && !Character.isISOControl(character)
                && Character.getType(character) != Character.SURROGATE;
    }

    /** Returns the text with what no database holds (NUL and unpaired surrogates) replaced by {@link #REPLACEMENT}. */
    public static String storable(String text) {
        // Nearly every text is, and every stored text comes through here.
        boolean plain = text.chars().noneMatch(unit -> unit == 0 || Character.isSurrogate((char) unit));
        return plain ? text : NOT_STORABLE.matcher(text).replaceAll(String.valueOf(REPLACEMENT));
    }

    private static String truncate(StringBuilder line, int maxLength) {
        int end = maxLength - ELLIPSIS.length();
        boolean splitsPair = end > 0 && Character.isHighSurrogate(line.charAt(end - 1));
        return line.substring(0, splitsPair ? end - 1 : end) + ELLIPSIS;
    }

    private static boolean isInvisible(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }
}
