package dev.escapement.server.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The JDBC address of a database: what of it may be printed, and whether it contains credentials. */
final class DatabaseUrlText {

    /** Options of the driver whose values are never secret. All others may be, or may contain any text. */
    private static final Set<String> PRINTABLE_OPTIONS = Set.of(
            "applicationname",
            "channelbinding",
            "connecttimeout",
            "currentschema",
            "gssencmode",
            "hostrecheckseconds",
            "loadbalancehosts",
            "logintimeout",
            "preparethreshold",
            "sockettimeout",
            "ssl",
            "sslmode",
            "sslrootcert",
            "targetservertype",
            "tcpkeepalive");

    private static final String HIDDEN = "(not shown)";

    private DatabaseUrlText() {}

    /** Returns the address with the values of those options only that are known to be harmless. */
    static String printable(String url) {
        String address = url.split("[?]", 2)[0];
        String options =
                options(url).stream().map(DatabaseUrlText::printableOption).collect(Collectors.joining("&"));
        return (address.contains("@") ? HIDDEN : address) + (options.isEmpty() ? "" : "?" + options);
    }

    private static String printableOption(String option) {
        String[] parts = option.split("=", 2);
        if (PRINTABLE_OPTIONS.contains(parts[0].toLowerCase(Locale.ROOT))) {
            return option;
        }
        return parts[0].matches("[A-Za-z]{1,40}") && parts.length == 2 ? parts[0] + "=" + HIDDEN : HIDDEN;
    }

    /** Returns whether the address has a user or a password, in any spelling. */
    static boolean hasCredentials(String url) {
        return url.split("[?]", 2)[0].contains("@")
                || options(url).stream().anyMatch(option -> optionName(option).matches("user|.*passw.*|.*pwd.*"));
    }

    private static List<String> options(String url) {
        String[] parts = url.split("[?]", 2);
        return parts.length == 1 ? List.of() : List.of(parts[1].split("[&;]", -1));
    }

    private static String optionName(String option) {
        String name = option.split("=", 2)[0];
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8).strip().toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException malformed) {
            return name.toLowerCase(Locale.ROOT);
        }
    }
}
