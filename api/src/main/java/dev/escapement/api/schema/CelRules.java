package dev.escapement.api.schema;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules of all schemas ({@code x-kubernetes-validations}) in Java, each under the text of its CEL expression. The
 * API server evaluates the text, a standalone server this table; a test compares the table with the schemas.
 *
 * <p>In CEL, {@code matches} finds a part of the string, {@code $} is only the very end, {@code \s} is white space of
 * ASCII, and {@code size()} counts code points.
 */
final class CelRules {

    /** A rule. */
    @FunctionalInterface
    interface Rule {
        /**
         * Returns whether the rule holds.
         *
         * @param self the value, of the type that the schema demands
         * @param oldSelf the value in the version before; null if there is none
         */
        boolean holds(Object self, @Nullable Object oldSelf);
    }

    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String NAME = LABEL + "(\\." + LABEL + ")*";
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
    private static final Predicate<String> IS_NAME = matching(NAME);
    private static final Predicate<String> IS_PARTS_DURATION = matching(PARTS_DURATION);
    private static final Predicate<String> IS_ISO_DURATION = matching(ISO_DURATION);
    private static final Predicate<String> IS_NOT_BLANK = containing("[^\\t\\n\\f\\r \\x0b\\x1c-\\x1f\\p{Z}]");
    private static final Predicate<String> HAS_SPACE = containing("[\\t\\n\\f\\r ]");
    private static final Predicate<String> HAS_ISO_END = containing("[0-9][DHMS]\\z");
    private static final Predicate<String> HAS_DIGIT_ABOVE_ZERO = containing("[1-9]");

    private static final Map<String, Rule> RULES = new LinkedHashMap<>();

    static {
        addExecutionRules();
        addTargetRules();
        // Of the metadata's annotations.
        addTotalLengthRule(65_536);
        addEndpointRules();
    }

    private CelRules() {}

    /**
     * Returns a rule.
     *
     * @throws IllegalArgumentException if the table does not have it
     */
    static Rule get(String expression) {
        Rule rule = RULES.get(normalize(expression));
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
        onUpdate("self == oldSelf", Object::equals);
        onUpdate(
                "!has(oldSelf.phase) || oldSelf.phase == self.phase || oldSelf.phase == 'Pending'"
                        + " || oldSelf.phase == 'Running' && self.phase in ['Completed', 'Failed']",
                CelRules::isLegalPhaseChange);
        onText("self.matches(r'[^\\s\\x0b\\x1c-\\x1f\\pZ]')", IS_NOT_BLANK);
        onText("!self.matches(r'\\s')", HAS_SPACE.negate());
        onMatch("((sha256:)?[a-f0-9]{64}|sha512:[a-f0-9]{128})?");
        onText("self.split('/').size() in [2, 3]", CelRules::hasTargetParts);
        onText(
                "self.split('/').size() != 3 || self.split('/')[0].size() <= 63" + " && self.split('/')[0].matches(r'^"
                        + LABEL + "$')",
                text -> parts(text).length != 3 || (size(parts(text)[0]) <= 63 && IS_LABEL.test(parts(text)[0])));
        addTargetPartRule(2, KIND);
        addTargetPartRule(1, NAME);
        addTotalLengthRule(262_144);
        Predicate<String> isParameterName = matching(PARAMETER_NAME);
        onObject(
                "self.all(name, name.matches(r'^" + PARAMETER_NAME + "$'))",
                map -> map.keySet().stream().map(String::valueOf).allMatch(isParameterName));
        onText(
                "self.matches(r'^" + PARTS_DURATION + "$') || self.matches(r'^" + ISO_DURATION + "$')"
                        + " && self.matches('[0-9][DHMS]$') || self == '0'",
                IS_PARTS_DURATION.or(IS_ISO_DURATION.and(HAS_ISO_END)).or("0"::equals));
        onText(
                "!self.contains('0') || self.matches('[1-9]')",
                text -> !text.contains("0") || HAS_DIGIT_ABOVE_ZERO.test(text));
        onText("self == '' || self.matches(r'^" + NAME + "$')", IS_NAME.or(String::isEmpty));
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
                self -> isObjectName.test(text(object(self, "metadata"), "name")));
        onMatch("(" + LABEL + "/)?" + NAME + "/" + NAME);
        onUpdate("self.epoch >= oldSelf.epoch", (self, oldSelf) -> epoch(self) >= epoch(oldSelf));
        onUpdate(
                "!has(oldSelf.holder) || !has(self.holder) || oldSelf.holder.uid == self.holder.uid"
                        + " || self.epoch > oldSelf.epoch",
                (self, oldSelf) -> !has(oldSelf, "holder")
                        || !has(self, "holder")
                        || text(object(oldSelf, "holder"), "uid").equals(text(object(self, "holder"), "uid"))
                        || epoch(self) > epoch(oldSelf));
        onObject(
                "has(self.holder) == (self.state == 'Held')",
                self -> has(self, "holder") == text(self, "state").equals("Held"));
    }

    private static void addEndpointRules() {
        addTotalLengthRule(16_384);
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

    private static boolean isLegalPhaseChange(Object self, Object oldSelf) {
        String before = text(oldSelf, "phase");
        String after = text(self, "phase");
        return before.isEmpty()
                || before.equals(after)
                || before.equals("Pending")
                || (before.equals("Running") && Set.of("Completed", "Failed").contains(after));
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

    private static boolean has(Object self, String field) {
        return self instanceof Map<?, ?> map && map.get(field) != null;
    }

    private static Map<?, ?> object(Object self, String field) {
        return self instanceof Map<?, ?> map && map.get(field) instanceof Map<?, ?> value ? value : Map.of();
    }

    private static String text(Object self, String field) {
        return self instanceof Map<?, ?> map && map.get(field) instanceof String value ? value : "";
    }

    private static long epoch(Object self) {
        return self instanceof Map<?, ?> map && map.get("epoch") instanceof Number value ? value.longValue() : 0;
    }

    private static void onMatch(String pattern) {
        onText("self.matches(r'^" + pattern + "$')", matching(pattern));
    }

    private static void onText(String expression, Predicate<String> rule) {
        add(expression, (self, oldSelf) -> rule.test((String) self));
    }

    private static void onObject(String expression, Predicate<Map<?, ?>> rule) {
        add(expression, (self, oldSelf) -> rule.test((Map<?, ?>) self));
    }

    /** A rule that compares two versions holds if there is no version before. */
    private static void onUpdate(String expression, BiPredicate<Object, Object> rule) {
        add(expression, (self, oldSelf) -> oldSelf == null || rule.test(self, oldSelf));
    }

    private static void add(String expression, Rule rule) {
        if (RULES.put(normalize(expression), rule) != null) {
            throw new IllegalStateException("the rule \"" + expression + "\" is there twice");
        }
    }
}
