package dev.escapement.governor;

import dev.escapement.backoff.Backoff;
import dev.escapement.backoff.BackoffSettings;
import dev.escapement.backoff.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Parses and formats a policy as keys and texts: the data of a ConfigMap, or a section of a settings file. */
public final class PolicyText {

    static final String COOLDOWN = "cooldown-period";
    static final String BASE_COOLDOWN = "base-cooldown-period";
    static final String MAX_COOLDOWN = "max-cooldown-period";
    static final String MAX_EXPONENT = "max-backoff-exponent";
    static final String MAX_FAILURES = "max-consecutive-failures";
    static final String FAILURE_SCOPE = "failure-scope";
    static final String BLOCK_SCOPE = "block-scope";
    static final String RESET_ON_DELETE = "reset-on-delete";
    static final String EXECUTOR_TIMEOUT = "executor-timeout";
    static final String MAX_WAITING = "max-waiting";

    private static final Duration MIN_BASE_COOLDOWN = Duration.ofMillis(200);
    private static final Duration MIN_EXECUTOR_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration MAX_EXECUTOR_TIMEOUT = Duration.ofDays(1);

    private final Map<String, String> texts;
    private final List<String> problems = new ArrayList<>();

    private PolicyText(Map<String, String> texts) {
        this.texts = texts;
    }

    /**
     * Parses a policy. A missing key has its default.
     *
     * @throws IllegalArgumentException if a key is unknown or a value is invalid; the message lists all problems, each
     *     with its key, its value and the rule
     */
    public static Policy parse(Map<String, String> texts) {
        return new PolicyText(texts).parse();
    }

    /** Formats a policy under the same keys, in the order of the documentation. */
    public static Map<String, String> format(Policy policy) {
        BackoffSettings backoff = policy.backoff().settings();
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put(COOLDOWN, DurationText.format(policy.cooldown()));
        texts.put(BASE_COOLDOWN, DurationText.format(backoff.base()));
        texts.put(MAX_COOLDOWN, DurationText.format(backoff.max()));
        texts.put(MAX_EXPONENT, Integer.toString(backoff.maxExponent()));
        texts.put(MAX_FAILURES, Integer.toString(policy.maxConsecutiveFailures()));
        texts.put(FAILURE_SCOPE, formatScope(policy.failureScope()));
        texts.put(BLOCK_SCOPE, formatScope(policy.blockScope()));
        texts.put(RESET_ON_DELETE, Boolean.toString(policy.resetOnDelete()));
        texts.put(EXECUTOR_TIMEOUT, DurationText.format(policy.executorTimeout()));
        texts.put(MAX_WAITING, Integer.toString(policy.maxWaiting()));
        return texts;
    }

    private Policy parse() {
        Set<String> known = format(Policy.DEFAULT).keySet();
        for (String key : new TreeSet<>(texts.keySet())) {
            if (!known.contains(key)) {
                problems.add("%s is not a setting (settings: %s)".formatted(key, String.join(", ", known)));
            }
        }
        BackoffSettings defaults = Policy.DEFAULT.backoff().settings();
        Duration cooldown = read(COOLDOWN, DurationText::parse, Policy.DEFAULT.cooldown());
        Duration base = read(BASE_COOLDOWN, DurationText::parse, defaults.base());
        Duration max = read(MAX_COOLDOWN, DurationText::parse, defaults.max());
        int maxExponent = read(MAX_EXPONENT, text -> parseInteger(text, 0), defaults.maxExponent());
        int maxFailures = read(MAX_FAILURES, text -> parseInteger(text, 1), Policy.DEFAULT.maxConsecutiveFailures());
        FailureScope failureScope = read(FAILURE_SCOPE, PolicyText::parseScope, Policy.DEFAULT.failureScope());
        FailureScope blockScope = read(BLOCK_SCOPE, PolicyText::parseScope, Policy.DEFAULT.blockScope());
        boolean reset = read(RESET_ON_DELETE, PolicyText::parseBoolean, Policy.DEFAULT.resetOnDelete());
        Duration executorTimeout =
                read(EXECUTOR_TIMEOUT, PolicyText::parseExecutorTimeout, Policy.DEFAULT.executorTimeout());
        int maxWaiting = read(MAX_WAITING, text -> parseInteger(text, 1), Policy.DEFAULT.maxWaiting());
        if (base.compareTo(MIN_BASE_COOLDOWN) < 0) {
            problems.add(
                    "%s is %s: it must be at least %s, because a failing execution would be retried without any wait"
                            .formatted(
                                    BASE_COOLDOWN, DurationText.format(base), DurationText.format(MIN_BASE_COOLDOWN)));
        }
        if (max.compareTo(base) < 0) {
            problems.add("%s is %s: it must not be shorter than %s, which is %s"
                    .formatted(MAX_COOLDOWN, DurationText.format(max), BASE_COOLDOWN, DurationText.format(base)));
        }
        if (max.compareTo(BackoffSettings.LONGEST) > 0) {
            problems.add(
                    "%s is %s: it must be at most a hundred years".formatted(MAX_COOLDOWN, DurationText.format(max)));
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("policy refused: " + String.join("; ", problems));
        }
        Backoff backoff = Backoff.of(new BackoffSettings(
                base, max, defaults.multiplier(), defaults.jitterPercent(), maxExponent, defaults.spread()));
        return new Policy(cooldown, backoff, maxFailures, failureScope, blockScope, reset, executorTimeout, maxWaiting);
    }

    private <T> T read(String key, Function<String, T> parser, T defaultValue) {
        String text = texts.get(key);
        if (text == null) {
            return defaultValue;
        }
        try {
            return parser.apply(text.strip());
        } catch (IllegalArgumentException invalid) {
            problems.add(key + ": " + invalid.getMessage());
            return defaultValue;
        }
    }

    private static int parseInteger(String text, int lowest) {
        try {
            int number = Integer.parseInt(text);
            if (number >= lowest) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // The message below is more helpful.
        }
        throw new IllegalArgumentException(
                "\"%s\" is not a whole number from %d to %d".formatted(text, lowest, Integer.MAX_VALUE));
    }

    private static String formatScope(FailureScope scope) {
        return scope.name().toLowerCase(Locale.ROOT);
    }

    private static Duration parseExecutorTimeout(String text) {
        Duration timeout = DurationText.parse(text);
        if (timeout.compareTo(MIN_EXECUTOR_TIMEOUT) < 0 || timeout.compareTo(MAX_EXECUTOR_TIMEOUT) > 0) {
            throw new IllegalArgumentException("\"%s\" is not between %s and %s"
                    .formatted(
                            text,
                            DurationText.format(MIN_EXECUTOR_TIMEOUT),
                            DurationText.format(MAX_EXECUTOR_TIMEOUT)));
        }
        return timeout;
    }

    private static FailureScope parseScope(String text) {
        return switch (text) {
            case "target" -> FailureScope.TARGET;
            case "workflow" -> FailureScope.WORKFLOW;
            default -> throw new IllegalArgumentException("\"%s\" is neither target nor workflow".formatted(text));
        };
    }

    private static boolean parseBoolean(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("\"%s\" is neither true nor false".formatted(text));
        };
    }
}
