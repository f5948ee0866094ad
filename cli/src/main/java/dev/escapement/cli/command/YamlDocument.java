package dev.escapement.cli.command;

import dev.escapement.server.document.DocumentParser;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of a file between its separators. Each is read by itself, so that what is wrong in one does not hide what is
 * wrong in the next.
 *
 * @param number from 1
 * @param line where it begins, from 1
 */
public record YamlDocument(int number, int line, String text) {

    /** A line of three dashes begins a document; no text of YAML can contain one. Empty documents do not count. */
    public static List<YamlDocument> split(String file) {
        List<YamlDocument> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        int first = 1;
        int line = 0;
        for (String each : file.lines().toList()) {
            line++;
            if (each.matches("---(\\s.*)?")) {
                addUnlessEmpty(parts, first, part);
                part.setLength(0);
                first = line;
                part.append("   ").append(each.substring(3)).append('\n');
            } else {
                part.append(each).append('\n');
            }
        }
        addUnlessEmpty(parts, first, part);
        return parts;
    }

    private static void addUnlessEmpty(List<YamlDocument> parts, int first, StringBuilder text) {
        boolean empty = text.toString()
                .lines()
                .allMatch(line -> line.isBlank() || line.strip().startsWith("#"));
        if (!empty) {
            parts.add(new YamlDocument(parts.size() + 1, first, text.toString()));
        }
    }

    /** With empty lines in front, that keep the numbers of the lines as they are in the file. */
    public String textWithLineOffset() {
        return "\n".repeat(line - 1) + text;
    }

    /** The first line with something in it. */
    public int firstContentLine() {
        int at = line;
        for (String each : text.lines().toList()) {
            if (!each.isBlank() && !each.strip().startsWith("#")) {
                return at;
            }
            at++;
        }
        return line;
    }

    public DocumentParser.Format format() {
        String start = text.stripLeading();
        return start.startsWith("{") ? DocumentParser.Format.JSON : DocumentParser.Format.YAML;
    }
}
