package dev.escapement.server.config;

import dev.escapement.backoff.DurationText;
import dev.escapement.server.config.Setting.Parser;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parsers of settings; each throws with the violated rule. */
final class SettingParsers {

    /** With ten digits, the bytes of a size in GiB fit into 64 bits; one that is too large is negative. */
    private static final Pattern SIZE = Pattern.compile("(\\d{1,10})\\s*(B|KiB|MiB|GiB)?");

    private static final String ADDRESS_RULE = "it must be IP addresses, separated by commas";

    private SettingParsers() {}

    private static <T> T require(boolean valid, T value, String rule) {
        if (!valid) {
            throw new IllegalArgumentException(rule);
        }
        return value;
    }

    static Parser<Integer> wholeNumber(int min, int max) {
        return (text, base) -> {
            String rule = "it must be a whole number from " + min + " to " + max;
            try {
                int number = Integer.parseInt(text.strip());
                return require(number >= min && number <= max, number, rule);
            } catch (NumberFormatException notANumber) {
                throw new IllegalArgumentException(rule, notANumber);
            }
        };
    }

    static Parser<Duration> duration(String min, String max) {
        return (text, base) -> {
            Duration duration = DurationText.parse(text);
            boolean inRange = duration.compareTo(DurationText.parse(min)) >= 0
                    && duration.compareTo(DurationText.parse(max)) <= 0;
            return require(inRange, duration, "it must be from %s to %s".formatted(min, max));
        };
    }

    static Parser<Optional<Duration>> optionalDuration(String min, String max) {
        return (text, base) -> text.isBlank()
                ? Optional.empty()
                : Optional.of(duration(min, max).parse(text, base));
    }

    static Parser<Integer> size(int min, int max) {
        return (text, base) -> {
            Matcher parts = SIZE.matcher(text.strip());
            long bytes = !parts.matches()
                    ? -1
                    : Long.parseLong(parts.group(1))
                            << switch (Optional.ofNullable(parts.group(2)).orElse("B")) {
                                case "KiB" -> 10;
                                case "MiB" -> 20;
                                case "GiB" -> 30;
                                default -> 0;
                            };
            String rule = "it must be a size such as 512KiB or 1MiB, from %d to %d bytes".formatted(min, max);
            return require(bytes >= min && bytes <= max, (int) bytes, rule);
        };
    }

    static Parser<String> oneOf(String... names) {
        return (text, base) -> {
            String name = text.strip().toLowerCase(Locale.ROOT);
            return require(List.of(names).contains(name), name, "it must be one of " + String.join(", ", names));
        };
    }

    /** Resolves a relative path against the folder of the settings file, or the working directory for other sources. */
    static Parser<Path> path() {
        return (text, base) -> base.resolve(require(!text.isBlank(), text, "it must not be empty"))
                .toAbsolutePath()
                .normalize();
    }

    static Parser<Optional<Path>> optionalPath() {
        return (text, base) -> text.isBlank() ? Optional.empty() : Optional.of(path().parse(text, base));
    }

    static Parser<String> text() {
        return (text, base) -> text.strip();
    }

    /** Parses IP addresses into the form in which Java prints the address of a connection. */
    static Parser<Set<String>> addresses() {
        return (text, base) -> {
            Set<String> addresses = new LinkedHashSet<>();
            for (String address : text.isBlank() ? new String[0] : text.strip().split("\\s*,\\s*")) {
                boolean literal =
                        address.matches("[0-9]+(\\.[0-9]+){3}") || address.matches("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
                try {
                    // Resolves no names: only literals get here.
                    require(literal, address, ADDRESS_RULE);
                    addresses.add(InetAddress.getByName(address).getHostAddress());
                } catch (UnknownHostException malformed) {
                    throw new IllegalArgumentException(ADDRESS_RULE, malformed);
                }
            }
            return Set.copyOf(addresses);
        };
    }

    static Parser<String> database() {
        return (text, base) -> {
            String known = require(
                    text.isBlank() || text.startsWith("jdbc:postgresql:"),
                    text.strip(),
                    "it must start with jdbc:postgresql:, or be empty for a SQLite file in the data folder");
            return require(
                    !DatabaseUrlText.hasCredentials(text),
                    known,
                    "it must not contain user or password: use database-user and database-password");
        };
    }

    /** Parses the address of an HTTP server; empty for none. It must have no password, which messages would show. */
    static Parser<Optional<URI>> optionalHttpUrl() {
        return (text, base) -> {
            String rule = "it must be an address such as https://audit.example.org, without user, query and fragment";
            if (text.isBlank()) {
                return Optional.empty();
            }
            try {
                URI url = new URI(text.strip());
                boolean valid = List.of("http", "https").contains(String.valueOf(url.getScheme()))
                        && url.getHost() != null
                        && url.getRawUserInfo() == null
                        && url.getRawQuery() == null
                        && url.getRawFragment() == null;
                return Optional.of(require(valid, url, rule));
            } catch (URISyntaxException malformed) {
                throw new IllegalArgumentException(rule, malformed);
            }
        };
    }

    static Parser<String> namespace() {
        return matching("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", "it must be a valid namespace name");
    }

    static Parser<String> host() {
        return matching("[^/ ]+", "it must be a host name or an address, such as 127.0.0.1");
    }

    private static Parser<String> matching(String pattern, String rule) {
        return (text, base) -> require(text.strip().matches(pattern), text.strip(), rule);
    }
}
