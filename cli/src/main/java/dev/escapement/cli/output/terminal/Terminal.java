package dev.escapement.cli.output.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/**
 * Where the program writes, and what that place can show.
 *
 * @param out results
 * @param err complaints and progress
 * @param colour whether to colour: on a terminal, unless NO_COLOR says otherwise
 * @param unicode whether blocks and arrows come through; plain ASCII otherwise
 * @param interactive whether a person looks at {@code out}: a line may be drawn again, and is cut to the width
 * @param columns how many characters a line holds; counts only where it is interactive
 */
public record Terminal(
        PrintWriter out, PrintWriter err, boolean colour, boolean unicode, boolean interactive, int columns) {

    /** Set by the launcher, which knows whether standard output is a terminal; Java does not say it reliably. */
    private static final String INTERACTIVE_PROPERTY = "escapement.terminal";

    /** Set by the launcher where there is a terminal. */
    private static final String COLUMNS_PROPERTY = "escapement.columns";

    private static final int DEFAULT_COLUMNS = 100;
    private static final int MIN_COLUMNS = 40;

    /** A place that no person looks at right now: a pipe, a file. */
    public Terminal(PrintWriter out, PrintWriter err, boolean colour, boolean unicode) {
        this(out, err, colour, unicode, false, DEFAULT_COLUMNS);
    }

    /** The terminal of this process. */
    public static Terminal ofThisProcess() {
        boolean interactive = Boolean.getBoolean(INTERACTIVE_PROPERTY);
        return new Terminal(
                createWriter(FileDescriptor.out),
                createWriter(FileDescriptor.err),
                // no-color.org: it counts if it is not empty.
                interactive && System.getenv().getOrDefault("NO_COLOR", "").isEmpty(),
                supportsUnicode(System.getenv()),
                interactive,
                Math.max(MIN_COLUMNS, Integer.getInteger(COLUMNS_PROPERTY, DEFAULT_COLUMNS)));
    }

    private static PrintWriter createWriter(FileDescriptor descriptor) {
        return new PrintWriter(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /** As the C library finds the character set: the first of these that is set decides. */
    public static boolean supportsUnicode(Map<String, String> environment) {
        for (String variable : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
            String value = environment.getOrDefault(variable, "");
            if (!value.isEmpty()) {
                return value.toUpperCase(Locale.ROOT).replace("-", "").contains("UTF8");
            }
        }
        return false;
    }

    /** The text with its symbols, or with their plain stand-ins; what has none becomes a question mark. */
    public String replaceUnsupportedSymbols(String text) {
        return unicode
                ? text
                : text.replace("→", "->")
                        .replace("×", "x")
                        .replace("±", "+/-")
                        .replace("…", "...")
                        .replace("·", "-")
                        .replace("—", "-")
                        .replace("✓", "ok")
                        .replace("✗", "no")
                        .replaceAll("[^\\p{ASCII}]", "?");
    }

    /** A line of our own words, with symbols as the terminal can show them. */
    public void printLine(String text) {
        out.println(replaceUnsupportedSymbols(text).stripTrailing());
    }

    /** The same text in a colour, where there are colours. */
    public String styled(TerminalStyle tone, String text) {
        return colour && tone != TerminalStyle.PLAIN && !text.isEmpty()
                ? tone.escapeSequence() + text + TerminalStyle.RESET
                : text;
    }
}
