package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Parses IP addresses and ports and checks host names, accepting only unambiguous spellings. Never queries DNS. */
public final class AddressParser {

    private static final Pattern NUMERIC_LABEL = Pattern.compile("[0-9]+|0[xX][0-9a-fA-F]*");
    private static final String IPV4_BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(IPV4_BYTE + "(\\." + IPV4_BYTE + "){3}");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:]{2,39}|[0-9a-fA-F:]{2,30}:[0-9.]{7,15}");
    private static final int MAX_NAME_LENGTH = 253;
    private static final int MAX_PORT = 65535;

    private AddressParser() {}

    /** Parses an IPv4 address of four decimal numbers without leading zeros, or an IPv6 address without zone. */
    public static Optional<InetAddress> parse(String text) {
        Pattern syntax = text.indexOf(':') < 0 ? IPV4 : IPV6;
        if (!syntax.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            // The JDK never queries DNS for four decimal numbers or a text with a colon.
            return Optional.of(InetAddress.getByName(text));
        } catch (UnknownHostException notAnAddress) {
            return Optional.empty();
        }
    }

    /**
     * Checks a host name. A name whose last label is a number is refused: some resolvers read it as an IPv4 address.
     *
     * @throws IllegalArgumentException naming the rule that it breaks
     */
    static void checkHostName(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the host is missing");
        }
        if (name.endsWith(".")) {
            throw new IllegalArgumentException("the host ends with a dot; leave it out");
        }
        if (name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException("the host is longer than " + MAX_NAME_LENGTH + " characters");
        }
        if (name.indexOf('_') >= 0) {
            throw new IllegalArgumentException(
                    "the host has an underscore, which is not allowed in a host name; use a name without");
        }
        String[] labels = name.toLowerCase(Locale.ROOT).split("\\.", -1);
        if (!Stream.of(labels).allMatch(label -> LABEL.matcher(label).matches())) {
            throw new IllegalArgumentException(
                    "the host has an invalid label; use letters, digits and inner hyphens, at most 63 per label");
        }
        if (NUMERIC_LABEL.matcher(labels[labels.length - 1]).matches()) {
            throw new IllegalArgumentException(
                    "the host ends in a number but is not an IPv4 address; write four decimal numbers");
        }
    }

    static int parsePort(String text) {
        return Optional.of(text)
                .filter(digits -> digits.matches("[0-9]{1,5}"))
                .map(Integer::parseInt)
                .filter(number -> number >= 1 && number <= MAX_PORT)
                .orElseThrow(() -> new IllegalArgumentException(
                        "the port is not a number from 1 to " + MAX_PORT + "; correct it or leave it out"));
    }

    static InetAddress fromBytes(byte[] bytes) {
        return withHostName(null, bytes);
    }

    /** Returns the address with this host name attached, so that TLS verifies the name without another lookup. */
    static InetAddress withHostName(@Nullable String name, byte[] bytes) {
        try {
            return InetAddress.getByAddress(name, bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException("an address has 4 or 16 bytes, not " + bytes.length, impossible);
        }
    }
}
