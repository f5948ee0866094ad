package dev.escapement.api.schema;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The rules of all schemas ({@code x-kubernetes-validations}) in Java, each under the text of its CEL expression. The
 * API server evaluates the text, a standalone server this table; a test compares the table with the schemas. Rules that
 * compare two versions ({@code oldSelf}) are not in it: only the API server needs them.
 *
 * <p>In CEL, {@code matches} finds a part of the string, {@code $} is only the very end, {@code \s} is white space of
 * ASCII, and {@code size()} counts code points.
 */
final class CelRules {

    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String NAME = LABEL + "(\\." + LABEL + ")*";
    private static final String TARGET_NAME = LABEL + "((\\.|:+)" + LABEL + ")*";
    private static final String KIND_LABEL = "[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?";
    private static final String KIND = KIND_LABEL + "(\\." + KIND_LABEL + ")*";
    private static final String PARAMETER_NAME = "[A-Za-z_][-._A-Za-z0-9]*";
    private static final String PARTS_DURATION =
            "([0-9]{1,4}(\\.[0-9]{1,9})?d)?([0-9]{1,6}(\\.[0-9]{1,9})?h)?([0-9]{1,7}(\\.[0-9]{1,9})?m)?"
                    + "([0-9]{1,9}(\\.[0-9]{1,9})?s)?([0-9]{1,12}(\\.[0-9]{1,6})?ms)?([0-9]{1,15}(\\.[0-9]{1,3})?[uµ]s)?"
                    + "([0-9]{1,18}ns)?";
    private static final String ISO_DURATION =
            "P([0-9]{1,4}D)?(T([0-9]{1,6}H)?([0-9]{1,7}M)?([0-9]{1,9}(\\.[0-9]{1,9})?S)?)?";

    private static final Predicate<String> IS_LABEL = matching(LABEL);
    private static final Predicate<String> HAS_NON_ZERO = containing("[1-9]");

    /** Each rule returns whether it holds for a value of the type that the schema demands. */
    private static final Map<String, Predicate<Object>> RULES = new LinkedHashMap<>();

    static {
        addExecutionRules();
        addTargetRules();
        // Of the metadata's annotations.
        addTotalLengthRule(65_536);
        // Of the parameters of workflows and the headers of endpoints.
        addTotalLengthRule(16_384);
        addEndpointRules();
    }

    private CelRules() {}

    /**
     * Returns a rule.
     *
     * @throws IllegalArgumentException if the table does not have it
     */
    static Predicate<Object> get(String expression) {
        Predicate<Object> rule = RULES.get(normalize(expression));
        if (rule == null) {
            throw new IllegalArgumentException("the rule \"" + expression + "\" has no Java form: add it to CelRules");
        }
        return rule;
    }

    /** Returns the expressions of all rules, with white space collapsed. */
    static Set<String> expressions() {
        return Set.copyOf(RULES.keySet());
    }

    static String normalize(String expression) {
        return expression.strip().replaceAll("\\s+", " ");
    }

    private static void addExecutionRules() {
        onText("self.matches(r'[^\\s\\x0b\\x1c-\\x1f\\pZ]')", containing("[^\\t\\n\\f\\r \\x0b\\x1c-\\x1f\\p{Z}]"));
        onText("!self.matches(r'\\s')", containing("[\\t\\n\\f\\r ]").negate());
        onMatch("((sha256:)?[a-f0-9]{64}|sha512:[a-f0-9]{128})?");
        onText("self.split('/').size() in [2, 3]", CelRules::hasTargetParts);
        onText(
                "self.split('/').size() != 3 || self.split('/')[0].size() <= 63" + " && self.split('/')[0].matches(r'^"
                        + LABEL + "$')",
                text -> parts(text).length != 3 || (size(parts(text)[0]) <= 63 && IS_LABEL.test(parts(text)[0])));
        addTargetPartRule(2, KIND);
        addTargetPartRule(1, TARGET_NAME);
        Predicate<String> isParameterName = matching(PARAMETER_NAME);
        onObject(
                "self.all(name, name.matches(r'^" + PARAMETER_NAME + "$'))",
                map -> map.keySet().stream().map(String::valueOf).allMatch(isParameterName));
        onText(
                "self.matches(r'^" + PARTS_DURATION + "$') || self.matches(r'^" + ISO_DURATION + "$')"
                        + " && self.matches('[0-9][DHMS]$') || self == '0'",
                matching(PARTS_DURATION)
                        .or(matching(ISO_DURATION).and(containing("[0-9][DHMS]\\z")))
                        .or("0"::equals));
        onText("!self.contains('0') || self.matches('[1-9]')", text -> !text.contains("0") || HAS_NON_ZERO.test(text));
        onObject(
                "!has(self.waitFor) || has(self.onConflict) && self.onConflict == 'Wait'",
                self -> !has(self, "waitFor") || text(self, "onConflict").equals("Wait"));
        onText("self == '' || self.matches(r'^" + NAME + "$')", matching(NAME).or(String::isEmpty));
    }

    /** A part of a target, counted from its end, has at most 253 characters and the given form. */
    private static void addTargetPartRule(int place, String pattern) {
        String part = "self.split('/')[self.split('/').size() - " + place + "]";
        Predicate<String> hasForm = matching(pattern);
        onText(
                "!(self.split('/').size() in [2, 3]) || " + part + ".size() <= 253 && " + part + " .matches(r'^"
                        + pattern + "$')",
                text -> !hasTargetParts(text)
                        || (size(fromEnd(text, place)) <= 253 && hasForm.test(fromEnd(text, place))));
    }

    private static void addTargetRules() {
        Predicate<String> isObjectName = matching("wfe-[0-9a-f]{16}");
        onObject(
                "self.metadata.name.matches('^wfe-[0-9a-f]{16}$')",
                self -> self.get("metadata") instanceof Map<?, ?> metadata
                        && isObjectName.test(text(metadata, "name")));
        onMatch("(" + LABEL + "/)?" + NAME + "/" + TARGET_NAME);
        onObject(
                "has(self.holder) == (self.state == 'Held')",
                self -> has(self, "holder") == text(self, "state").equals("Held"));
    }

    private static void addEndpointRules() {
        onObject("has(self.interval) != has(self.cron)", self -> has(self, "interval") != has(self, "cron"));
        onObject(
                "!has(self.timeZone) || !has(self.interval)", self -> !has(self, "timeZone") || !has(self, "interval"));
        onObject(
                "!has(self.body) || self.body == '' || has(self.method) && !(self.method.upperAscii() in ['', 'GET'])",
                self -> !has(self, "body")
                        || "".equals(self.get("body"))
                        || !Set.of("", "GET").contains(upper(text(self, "method"))));
        onText(
                "self == '' || self.upperAscii() in ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']",
                text -> Set.of("", "GET", "POST", "PUT", "PATCH", "DELETE").contains(upper(text)));
    }

    private static void addTotalLengthRule(int max) {
        onObject(
                "self.map(name, name.size() + self[name].size()).sum() <= " + max,
                map -> map.entrySet().stream()
                                .mapToLong(entry -> size(String.valueOf(entry.getKey()))
                                        + (long) size(String.valueOf(entry.getValue())))
                                .sum()
                        <= max);
    }

    private static boolean hasTargetParts(String text) {
        int count = parts(text).length;
        return count == 2 || count == 3;
    }

    private static String[] parts(String text) {
        return text.split("/", -1);
    }

    private static String fromEnd(String text, int place) {
        String[] parts = parts(text);
        return parts[parts.length - place];
    }

    /** The whole string must match, as with {@code ^} and {@code $} in CEL. */
    private static Predicate<String> matching(String pattern) {
        return Pattern.compile(pattern).asMatchPredicate();
    }

    private static Predicate<String> containing(String pattern) {
        return Pattern.compile(pattern).asPredicate();
    }

    private static String upper(String text) {
        return text.toUpperCase(Locale.ROOT);
    }

    private static int size(String text) {
        return text.codePointCount(0, text.length());
    }

    private static boolean has(Map<?, ?> self, String field) {
        return self.get(field) != null;
    }

    private static String text(Map<?, ?> self, String field) {
        return self.get(field) instanceof String value ? value : "";
    }

    private static void onMatch(String pattern) {
        onText("self.matches(r'^" + pattern + "$')", matching(pattern));
    }

    private static void onText(String expression, Predicate<String> rule) {
        add(expression, self -> rule.test((String) self));
    }

    private static void onObject(String expression, Predicate<Map<?, ?>> rule) {
        add(expression, self -> rule.test((Map<?, ?>) self));
    }

    private static void add(String expression, Predicate<Object> rule) {
        if (RULES.put(normalize(expression), rule) != null) {
            throw new IllegalStateException("the rule \"" + expression + "\" is there twice");
        }
    }
}
