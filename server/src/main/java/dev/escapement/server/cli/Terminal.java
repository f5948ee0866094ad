package dev.escapement.server.cli;

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
 */
public record Terminal(PrintWriter out, PrintWriter err, boolean colour, boolean unicode) {

    /** Set by the launcher, which knows whether standard output is a terminal; Java does not say it reliably. */
    private static final String IS_TERMINAL = "escapement.terminal";

    /** The terminal of this process. */
    public static Terminal ofThisProcess() {
        return new Terminal(
                writer(FileDescriptor.out),
                writer(FileDescriptor.err),
                Boolean.getBoolean(IS_TERMINAL) && !System.getenv().containsKey("NO_COLOR"),
                speaksUnicode(System.getenv()));
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /** As the C library finds the character set: the first of these that is set decides. */
    static boolean speaksUnicode(Map<String, String> environment) {
        for (String variable : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
            String value = environment.getOrDefault(variable, "");
            if (!value.isEmpty()) {
                return value.toUpperCase(Locale.ROOT).replace("-", "").contains("UTF8");
            }
        }
        return false;
    }

    /** The text with its symbols, or with their plain stand-ins. */
    String symbols(String text) {
        return unicode
                ? text
                : text.replace("→", "->").replace("×", "x").replace("±", "+/-").replace("…", "...");
    }
}
