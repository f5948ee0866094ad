package dev.escapement.server.config;

import dev.escapement.backoff.DurationText;
import dev.escapement.server.config.Setting.Parser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parsers of settings; each throws with the violated rule. */
final class SettingParsers {

    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})\\s*(B|KiB|MiB|GiB)?");

    private SettingParsers() {}

    static Parser<Integer> wholeNumber(int min, int max) {
        return (text, base) -> {
            String rule = "it must be a whole number from " + min + " to " + max;
            try {
                int number = Integer.parseInt(text.strip());
                if (number >= min && number <= max) {
                    return number;
                }
            } catch (NumberFormatException notANumber) {
                throw new IllegalArgumentException(rule, notANumber);
            }
            throw new IllegalArgumentException(rule);
        };
    }

    static Parser<Duration> duration(Duration min, Duration max) {
        return (text, base) -> {
            Duration duration = DurationText.parse(text);
            if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
                throw new IllegalArgumentException(
                        "it must be from %s to %s".formatted(DurationText.format(min), DurationText.format(max)));
            }
            return duration;
        };
    }

    static Parser<Integer> size(int min, int max) {
        return (text, base) -> {
            Matcher parts = SIZE.matcher(text.strip());
            if (parts.matches()) {
                long bytes = Long.parseLong(parts.group(1))
                        << switch (Optional.ofNullable(parts.group(2)).orElse("B")) {
                            case "KiB" -> 10;
                            case "MiB" -> 20;
                            case "GiB" -> 30;
                            default -> 0;
                        };
                if (bytes >= min && bytes <= max) {
                    return (int) bytes;
                }
            }
            throw new IllegalArgumentException(
                    "it must be a size such as 512KiB or 1MiB, from %d to %d bytes".formatted(min, max));
        };
    }

    static Parser<String> oneOf(String... names) {
        return (text, base) -> {
            String name = text.strip().toLowerCase(Locale.ROOT);
            if (!List.of(names).contains(name)) {
                throw new IllegalArgumentException("it must be one of " + String.join(", ", names));
            }
            return name;
        };
    }

    /** Resolves a relative path against the folder of the settings file, or the working directory for other sources. */
    static Parser<Path> path() {
        return (text, base) -> {
            if (text.isBlank()) {
                throw new IllegalArgumentException("it must not be empty");
            }
            return base.resolve(text).toAbsolutePath().normalize();
        };
    }

    static Parser<Optional<Path>> optionalPath() {
        return (text, base) -> text.isBlank() ? Optional.empty() : Optional.of(path().parse(text, base));
    }

    static Parser<String> text() {
        return (text, base) -> text.strip();
    }

    static Parser<String> database() {
        return (text, base) -> {
            if (!text.isBlank() && !text.startsWith("jdbc:postgresql:")) {
                throw new IllegalArgumentException(
                        "it must start with jdbc:postgresql:, or be empty for a SQLite file in the" + " data folder");
            }
            if (text.split("[?]", 2)[0].contains("@") || text.matches("(?i).*[?&](user|[a-z]*password)=.*")) {
                throw new IllegalArgumentException(
                        "it must not contain user or password: use database-user and database-password");
            }
            return text.strip();
        };
    }

    static Parser<String> namespace() {
        return (text, base) -> {
            String name = text.strip();
            if (!name.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
                throw new IllegalArgumentException("it must be a valid namespace name");
            }
            return name;
        };
    }

    static Parser<String> host() {
        return (text, base) -> {
            String host = text.strip();
            if (host.isEmpty() || host.contains("/") || host.contains(" ")) {
                throw new IllegalArgumentException("it must be a host name or an address, such as 127.0.0.1");
            }
            return host;
        };
    }
}
