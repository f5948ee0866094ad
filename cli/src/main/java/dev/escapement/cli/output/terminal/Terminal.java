package dev.escapement.cli.output.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/**
 * Output streams of the program, and their capabilities.
 *
 * @param out results
 * @param err errors and progress
 * @param colour whether to use colours: only on a terminal, and not if NO_COLOR is set
 * @param unicode whether to print symbols; otherwise plain ASCII
 * @param interactive whether {@code out} is a terminal: a line may be redrawn, and is cut to the width
 * @param columns width of an interactive terminal in characters
 */
public record Terminal(
        PrintWriter out, PrintWriter err, boolean colour, boolean unicode, boolean interactive, int columns) {

    /** Set by the launcher: Java does not report reliably whether standard output is a terminal. */
    private static final String INTERACTIVE_PROPERTY = "escapement.terminal";

    private static final String COLUMNS_PROPERTY = "escapement.columns";

    private static final int DEFAULT_COLUMNS = 100;
    private static final int MIN_COLUMNS = 40;

    /** Creates output that is not interactive: a pipe or a file. */
    public Terminal(PrintWriter out, PrintWriter err, boolean colour, boolean unicode) {
        this(out, err, colour, unicode, false, DEFAULT_COLUMNS);
    }

    public static Terminal ofThisProcess() {
        boolean interactive = Boolean.getBoolean(INTERACTIVE_PROPERTY);
        return new Terminal(
                createWriter(FileDescriptor.out),
                createWriter(FileDescriptor.err),
                // no-color.org: any value but the empty one counts.
                interactive && System.getenv().getOrDefault("NO_COLOR", "").isEmpty(),
                supportsUnicode(System.getenv()),
                interactive,
                Math.max(MIN_COLUMNS, Integer.getInteger(COLUMNS_PROPERTY, DEFAULT_COLUMNS)));
    }

    private static PrintWriter createWriter(FileDescriptor descriptor) {
        return new PrintWriter(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /** Detects UTF-8 as the C library does: the first variable that is set decides. */
    public static boolean supportsUnicode(Map<String, String> environment) {
        for (String variable : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
            String value = environment.getOrDefault(variable, "");
            if (!value.isEmpty()) {
                return value.toUpperCase(Locale.ROOT).replace("-", "").contains("UTF8");
            }
        }
        return false;
    }

    /** Replaces symbols by ASCII where the terminal cannot show them; unknown ones become question marks. */
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

    /** Prints a line that may contain colours; text from a server must be sanitised before. */
    public void printLine(String text) {
        out.println(replaceUnsupportedSymbols(text).stripTrailing());
    }

    /** Prints one sanitised line; the text may come from a server. */
    public void printSafeLine(String text) {
        printLine(TerminalText.singleLine(text));
    }

    /** Prints one sanitised line to standard error. */
    public void printError(String text) {
        err.println(replaceUnsupportedSymbols(TerminalText.singleLine(text)));
        err.flush();
    }

    /** Returns the text in a style, unchanged without colours. */
    public String styled(TerminalStyle style, String text) {
        return colour && style != TerminalStyle.PLAIN && !text.isEmpty()
                ? style.escapeSequence() + text + TerminalStyle.RESET
                : text;
    }
}
