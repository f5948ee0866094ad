package dev.escapement.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules on names and words, checked on source text. Each method returns one line per violation. */
final class NamingRules {

    /** Nouns that end like a gerund. */
    private static final Set<String> NOUNS = Set.of("Setting", "String", "Ring", "Thing", "Sibling");

    /** Adjectives, participles and adverbs that once were type names, and their like. */
    private static final Set<String> ADJECTIVES = Set.of(
            "Soon",
            "Told",
            "Kept",
            "Due",
            "Past",
            "Next",
            "Held",
            "Wanted",
            "Given",
            "Stored",
            "Planned",
            "Paused",
            "Started",
            "Landed",
            "Announced",
            "Contended",
            "Unreadable",
            "Trimmed",
            "Fresh",
            "Retired",
            "Recorded",
            "Live",
            "Alive",
            "Idle",
            "Stuck",
            "Lost",
            "Late",
            "Early",
            "Ready",
            "Busy",
            "Free",
            "Refused",
            "Denied");

    private static final Pattern TYPE = Pattern.compile(
            "^(?:public |final |abstract |sealed |non-sealed )*(?:class|interface|enum|record|@interface)" + " (\\w+)",
            Pattern.MULTILINE);

    private static final Pattern TEXT_BLOCK = Pattern.compile("\"\"\"(.*?)\"\"\"", Pattern.DOTALL);
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");
    private static final Pattern COMMENT =
            Pattern.compile("/\\*.*?\\*/|^\\s*//.*?$", Pattern.DOTALL | Pattern.MULTILINE);

    /** Words that need an interpreter, each with the word of the field that says it. */
    private static final Map<Pattern, String> WORDS = Map.ofEntries(
            word("told|tells|telling", "published, reported"),
            word("let go|lets go", "started or released"),
            word("nobody|somebody|whoever", "the caller, no caller"),
            word("stranger|strangers", "unknown field"),
            word("nonsense", "invalid value"),
            word("trouble|troubles|troubled", "failure"),
            word("patience", "timeout"),
            word("anew", "again, restarted"),
            word("comeback", "retry, backoff"),
            word("carry on|carries on|carried on|carrying on", "reconcile, process"),
            word("look after|looks after|looked after", "reconcile"),
            word("once more", "retried"),
            word("for good", "permanently"),
            word("deaf", "not notified"),
            word("is asked for|was asked for", "created"));

    private NamingRules() {}

    /**
     * Simple names that more than one file of the tree has.
     *
     * @param files paths of source files
     */
    static List<String> duplicateNames(List<String> files) {
        Map<String, List<String>> paths = new TreeMap<>();
        for (String file : files) {
            String name = file.substring(file.lastIndexOf('/') + 1);
            if (!name.equals("package-info.java")) {
                paths.computeIfAbsent(name, key -> new ArrayList<>()).add(file);
            }
        }
        return paths.values().stream()
                .filter(same -> same.size() > 1)
                .map(same -> "one name, several types: " + String.join(", ", same))
                .toList();
    }

    /** Top-level types that are named by a gerund or an adjective alone. */
    static List<String> moodNames(String source) {
        List<String> violations = new ArrayList<>();
        Matcher type = TYPE.matcher(source);
        while (type.find()) {
            String name = type.group(1);
            boolean oneWord = name.chars().skip(1).noneMatch(Character::isUpperCase);
            boolean gerund = name.endsWith("ing") && !NOUNS.contains(name);
            if (oneWord && (gerund || ADJECTIVES.contains(name))) {
                violations.add("type " + name + " is named by a gerund or adjective; name it by its role");
            }
        }
        return violations;
    }

    /** Words in string literals that an operator would have to read twice. */
    static List<String> unclearWords(String source) {
        Set<String> violations = new TreeSet<>();
        for (String text : literals(COMMENT.matcher(source).replaceAll(""))) {
            WORDS.forEach((word, better) -> {
                Matcher found = word.matcher(text);
                if (found.find()) {
                    violations.add("\"%s\": write %s instead of '%s'".formatted(text, better, found.group()));
                }
            });
        }
        return List.copyOf(violations);
    }

    private static List<String> literals(String source) {
        List<String> texts = new ArrayList<>();
        TEXT_BLOCK.matcher(source).results().forEach(block -> texts.add(block.group(1)));
        LITERAL.matcher(TEXT_BLOCK.matcher(source).replaceAll("")).results().forEach(text -> texts.add(text.group(1)));
        return texts;
    }

    private static Map.Entry<Pattern, String> word(String words, String better) {
        return Map.entry(Pattern.compile("\\b(?:" + words + ")\\b", Pattern.CASE_INSENSITIVE), better);
    }
}
