package dev.escapement.api.schema;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
    private static final int MAX_NAMESPACE_LENGTH = 63;
    private static final int MAX_NAME_LENGTH = 253;

    private static final Predicate<String> IS_LABEL = matching(LABEL);
    private static final Predicate<String> IS_NAME = matching(NAME);
    private static final Predicate<String> IS_KIND = matching(KIND);
    private static final Predicate<String> IS_PARAMETER_NAME = matching("[A-Za-z_][-._A-Za-z0-9]*");
    private static final Predicate<String> IS_OBJECT_NAME = matching("wfe-[0-9a-f]{16}");
    private static final Pattern NOT_BLANK = Pattern.compile("[^\\t\\n\\f\\r \\x0b\\x1c-\\x1f\\p{Z}]");
    private static final Pattern ASCII_SPACE = Pattern.compile("[\\t\\n\\f\\r ]");
    private static final Pattern ISO_END = Pattern.compile("[0-9][DHMS]\\z");
    private static final Pattern NOT_ZERO = Pattern.compile("[1-9]");
    private static final Pattern PARTS_DURATION =
            Pattern.compile("([0-9]{1,4}(\\.[0-9]{1,9})?d)?([0-9]{1,6}(\\.[0-9]{1,9})?h)?([0-9]{1,7}(\\.[0-9]{1,9})?m)?"
                    + "([0-9]{1,9}(\\.[0-9]{1,9})?s)?([0-9]{1,12}(\\.[0-9]{1,6})?ms)?([0-9]{1,15}(\\.[0-9]{1,3})?[uµ]s)?"
                    + "([0-9]{1,18}ns)?");
    private static final Pattern ISO_DURATION =
            Pattern.compile("P([0-9]{1,4}D)?(T([0-9]{1,6}H)?([0-9]{1,7}M)?([0-9]{1,9}(\\.[0-9]{1,9})?S)?)?");
    private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");

    private static final Map<String, Rule> RULES = new LinkedHashMap<>();

    static {
        addExecutionRules();
        addTargetRules();
        addMetadataRules();
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
        onText(
                "self.matches(r'[^\\s\\x0b\\x1c-\\x1f\\pZ]')",
                text -> NOT_BLANK.matcher(text).find());
        onText("!self.matches(r'\\s')", text -> !ASCII_SPACE.matcher(text).find());
        onText(
                "self.matches(r'^((sha256:)?[a-f0-9]{64}|sha512:[a-f0-9]{128})?$')",
                matching("((sha256:)?[a-f0-9]{64}|sha512:[a-f0-9]{128})?"));
        onText("self.split('/').size() in [2, 3]", CelRules::hasTargetParts);
        onText(
                "self.split('/').size() != 3 || self.split('/')[0].size() <= 63"
                        + " && self.split('/')[0].matches(r'^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
                text -> parts(text).length != 3 || isName(parts(text)[0], IS_LABEL, MAX_NAMESPACE_LENGTH));
        onText(
                "!(self.split('/').size() in [2, 3]) || self.split('/')[self.split('/').size() - 2].size() <= 253"
                        + " && self.split('/')[self.split('/').size() - 2]"
                        + " .matches(r'^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*$')",
                text -> !hasTargetParts(text) || isName(fromEnd(text, 2), IS_KIND, MAX_NAME_LENGTH));
        onText(
                "!(self.split('/').size() in [2, 3]) || self.split('/')[self.split('/').size() - 1].size() <= 253"
                        + " && self.split('/')[self.split('/').size() - 1]"
                        + " .matches(r'^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",
                text -> !hasTargetParts(text) || isName(fromEnd(text, 1), IS_NAME, MAX_NAME_LENGTH));
        addTotalLengthRule(262_144);
        onObject(
                "self.all(name, name.matches(r'^[A-Za-z_][-._A-Za-z0-9]*$'))",
                map -> map.keySet().stream().map(String::valueOf).allMatch(IS_PARAMETER_NAME));
        onText(
                "self.matches(r'^([0-9]{1,4}(\\.[0-9]{1,9})?d)?([0-9]{1,6}(\\.[0-9]{1,9})?h)?([0-9]{1,7}(\\.[0-9]{1,9})?m)?"
                        + "([0-9]{1,9}(\\.[0-9]{1,9})?s)?([0-9]{1,12}(\\.[0-9]{1,6})?ms)?([0-9]{1,15}(\\.[0-9]{1,3})?[uµ]s)?"
                        + "([0-9]{1,18}ns)?$')"
                        + " || self.matches(r'^P([0-9]{1,4}D)?(T([0-9]{1,6}H)?([0-9]{1,7}M)?([0-9]{1,9}(\\.[0-9]{1,9})?S)?)?$')"
                        + " && self.matches('[0-9][DHMS]$') || self == '0'",
                CelRules::isDuration);
        onText(
                "!self.contains('0') || self.matches('[1-9]')",
                text -> !text.contains("0") || NOT_ZERO.matcher(text).find());
        onText(
                "self == '' || self.matches(r'^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",
                text -> text.isEmpty() || IS_NAME.test(text));
    }

    private static void addTargetRules() {
        onObject(
                "self.metadata.name.matches('^wfe-[0-9a-f]{16}$')",
                self -> IS_OBJECT_NAME.test(text(object(self, "metadata"), "name")));
        onText(
                "self.matches(r'^([a-z0-9]([-a-z0-9]*[a-z0-9])?/)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
                        + "/[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$')",
                matching("(" + LABEL + "/)?" + NAME + "/" + NAME));
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

    private static void addMetadataRules() {
        addTotalLengthRule(65_536);
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
                        || !List.of("", "GET").contains(upper(text(self, "method"))));
        onText(
                "self == '' || self.upperAscii() in ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']",
                text -> text.isEmpty() || METHODS.contains(upper(text)));
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

    private static boolean isDuration(String text) {
        return PARTS_DURATION.matcher(text).matches()
                || (ISO_DURATION.matcher(text).matches()
                        && ISO_END.matcher(text).find())
                || text.equals("0");
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

    private static boolean isName(String text, Predicate<String> pattern, int maxLength) {
        return size(text) <= maxLength && pattern.test(text);
    }

    /** The whole string must match, as with {@code ^} and {@code $} in CEL. */
    private static Predicate<String> matching(String pattern) {
        Pattern compiled = Pattern.compile(pattern);
        return text -> compiled.matcher(text).matches();
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

    private static void onText(String expression, Predicate<String> rule) {
        add(expression, (self, oldSelf) -> rule.test((String) self));
    }

    private static void onObject(String expression, Predicate<Map<?, ?>> rule) {
        add(expression, (self, oldSelf) -> rule.test((Map<?, ?>) self));
    }

    /** A rule that compares two versions holds if there is no version before. */
    private static void onUpdate(String expression, Update rule) {
        add(expression, (self, oldSelf) -> oldSelf == null || rule.holds(self, oldSelf));
    }

    @FunctionalInterface
    private interface Update {
        boolean holds(Object self, Object oldSelf);
    }

    private static void add(String expression, Rule rule) {
        if (RULES.put(normalize(expression), rule) != null) {
            throw new IllegalStateException("the rule \"" + expression + "\" is there twice");
        }
    }
}
