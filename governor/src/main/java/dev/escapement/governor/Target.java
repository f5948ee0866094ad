package dev.escapement.governor;

import dev.escapement.common.Digests;
import dev.escapement.common.SafeText;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What an execution acts on: {@code namespace/kind/name}, or {@code kind/name} if it is cluster-scoped. Two targets are
 * equal if their canonical forms are: the kind is compared without case, namespace and name exactly.
 *
 * @param namespace empty for cluster-scoped targets
 * @param kind in lower case
 */
public record Target(Optional<String> namespace, String kind, String name) {

    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

    private static final String KIND_LABEL = LABEL.replace("a-z", "A-Za-z");

    /** Labels of letters, digits and {@code -}, separated by dots. */
    private static final Pattern KIND = Pattern.compile(KIND_LABEL + "(\\." + KIND_LABEL + ")*");

    /**
     * As Kubernetes validates most names: labels of lower case letters, digits and {@code -}, separated by dots; or by
     * colons, as in the names of RBAC objects ({@code system:coredns}, {@code system::leader-locking-x}).
     */
    private static final Pattern NAME = Pattern.compile(LABEL + "((\\.|:+)" + LABEL + ")*");

    private static final Pattern NAMESPACE = Pattern.compile(LABEL);
    private static final int MAX_NAME_LENGTH = 253;
    private static final int MAX_LABEL_LENGTH = 63;
    private static final int MAX_QUOTE_LENGTH = 300;
    private static final String FORMAT_HELP = "write namespace/kind/name, or kind/name for what has no namespace";

    public Target {
        namespace.ifPresent(given -> validatePart("namespace", given, NAMESPACE, MAX_LABEL_LENGTH));
        // Before it is lowered: some letters outside of ASCII become ASCII letters, such as the Kelvin sign.
        validatePart("kind", kind, KIND, MAX_NAME_LENGTH);
        kind = kind.toLowerCase(Locale.ROOT);
        validatePart("name", name, NAME, MAX_NAME_LENGTH);
    }

    /**
     * Parses a target.
     *
     * @throws IllegalArgumentException if the text is not a target; the message has the text, the part and the rule
     */
    public static Target parse(String text) {
        String[] parts = text.split("/", -1);
        try {
            return switch (parts.length) {
                case 2 -> new Target(Optional.empty(), parts[0], parts[1]);
                case 3 -> new Target(Optional.of(parts[0]), parts[1], parts[2]);
                default -> throw new IllegalArgumentException("it has " + parts.length + " parts, not 2 or 3");
            };
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "target %s: %s; %s"
                            .formatted(SafeText.quote(text, MAX_QUOTE_LENGTH), invalid.getMessage(), FORMAT_HELP),
                    invalid);
        }
    }

    /** Parses a target; empty if the text is not one. */
    public static Optional<Target> tryParse(String text) {
        try {
            return Optional.of(parse(text));
        } catch (IllegalArgumentException invalid) {
            return Optional.empty();
        }
    }

    /** Returns the form that locks, ledgers and indexes use. */
    public String canonical() {
        return namespace.map(given -> given + "/").orElse("") + kind + "/" + name;
    }

    /**
     * Returns a name for objects that belong to this target: {@code wfe-} and the first 16 hex digits of the SHA-256 of
     * the canonical form in UTF-8. Valid as a Kubernetes name and label value.
     */
    public String objectName() {
        return "wfe-" + Digests.sha256Hex(canonical(), 8);
    }

    @Override
    public String toString() {
        return canonical();
    }

    private static void validatePart(String part, String value, Pattern pattern, int maxLength) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("its " + part + " is empty");
        }
        if (value.length() > maxLength) {
            throw new IllegalArgumentException(
                    "its %s has %d characters, the maximum is %d".formatted(part, value.length(), maxLength));
        }
        if (!pattern.matcher(value).matches()) {
            throw new IllegalArgumentException("its %s %s is not a Kubernetes name (%s)"
                    .formatted(part, SafeText.quote(value, MAX_QUOTE_LENGTH), pattern.pattern()));
        }
    }
}
