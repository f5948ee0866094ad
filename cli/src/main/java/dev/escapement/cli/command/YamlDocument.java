package dev.escapement.cli.command;

import dev.escapement.server.document.DocumentParser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One document of a file. Documents are parsed one by one, so that an error in one does not hide errors in the next.
 *
 * @param number from 1
 * @param line first line in the file, from 1
 */
public record YamlDocument(int number, int line, String text) {

    /** Splits a file at lines of three dashes. Skips empty documents. */
    public static List<YamlDocument> split(String file) {
        List<YamlDocument> documents = new ArrayList<>();
        StringBuilder current = new StringBuilder();
        int first = 1;
        int line = 0;
        for (String each : file.lines().toList()) {
            line++;
            if (each.matches("---(\\s.*)?")) {
                addUnlessEmpty(documents, first, current);
                current.setLength(0);
                first = line;
                current.append("   ").append(each.substring(3)).append('\n');
            } else {
                current.append(each).append('\n');
            }
        }
        addUnlessEmpty(documents, first, current);
        return documents;
    }

    private static void addUnlessEmpty(List<YamlDocument> documents, int first, StringBuilder text) {
        if (!text.toString().lines().allMatch(YamlDocument::isBlankOrComment)) {
            documents.add(new YamlDocument(documents.size() + 1, first, text.toString()));
        }
    }

    private static boolean isBlankOrComment(String line) {
        return line.isBlank() || line.strip().startsWith("#");
    }

    /** Returns the text below empty lines, so that a parser reports the line numbers of the file. */
    public String textWithLineOffset() {
        return "\n".repeat(line - 1) + text;
    }

    public int firstContentLine() {
        return line
                + (int) text.lines().takeWhile(YamlDocument::isBlankOrComment).count();
    }

    public DocumentParser.Format format() {
        return text.stripLeading().startsWith("{") ? DocumentParser.Format.JSON : DocumentParser.Format.YAML;
    }

    /** Copies a parsed object with its keys as text. */
    public static Map<String, Object> withStringKeys(Map<?, ?> object) {
        Map<String, Object> copy = new LinkedHashMap<>();
        object.forEach((key, value) -> copy.put(String.valueOf(key), value));
        return copy;
    }
}
