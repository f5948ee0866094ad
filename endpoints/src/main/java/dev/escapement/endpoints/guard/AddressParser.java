package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Addresses and names as text, in the one spelling that leaves no doubt. Never asks a name server. */
public final class AddressParser {

    private static final Pattern NUMERIC_LABEL = Pattern.compile("[0-9]+|0[xX][0-9a-fA-F]*");
    private static final Pattern IPV4_BYTE = Pattern.compile("0|[1-9][0-9]{0,2}");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:]{2,39}|[0-9a-fA-F:]{2,30}:[0-9.]{7,15}");
    private static final int MAX_NAME_LENGTH = 253;

    private AddressParser() {}

    /**
     * Four decimal numbers without leading zeros, or an IPv6 address without brackets and zone; empty if it is neither.
     */
    public static Optional<InetAddress> parse(String text) {
        return text.indexOf(':') < 0 ? parseIpv4(text) : parseIpv6(text);
    }

    /**
     * Why this is no name that can be looked up; empty if it is one. A name whose last label is a number is none: some
     * resolvers take it for an address in an odd spelling.
     */
    static Optional<String> findHostNameProblem(String name) {
        if (name.isEmpty()) {
            return Optional.of("the host is missing");
        }
        if (name.endsWith(".")) {
            return Optional.of("the host ends with a dot; leave it out");
        }
        if (name.length() > MAX_NAME_LENGTH) {
            return Optional.of("the host is longer than " + MAX_NAME_LENGTH + " characters");
        }
        if (name.indexOf('_') >= 0) {
            return Optional.of("the host has an underscore, which no name of a host may have, so it cannot be called;"
                    + " use a name without one");
        }
        String[] labels = name.toLowerCase(Locale.ROOT).split("\\.", -1);
        for (String label : labels) {
            if (!LABEL.matcher(label).matches()) {
                return Optional.of(
                        "the host has a part that is no label of a name; use letters, digits and hyphens, at most 63");
            }
        }
        return NUMERIC_LABEL.matcher(labels[labels.length - 1]).matches()
                ? Optional.of(
                        "the host ends in a number but is no address; write an IPv4 address as four decimal numbers")
                : Optional.empty();
    }

    private static Optional<InetAddress> parseIpv4(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            return Optional.empty();
        }
        byte[] bytes = new byte[4];
        for (int i = 0; i < 4; i++) {
            if (!IPV4_BYTE.matcher(parts[i]).matches() || Integer.parseInt(parts[i]) > 255) {
                return Optional.empty();
            }
            bytes[i] = (byte) Integer.parseInt(parts[i]);
        }
        return Optional.of(fromBytes(bytes));
    }

    private static Optional<InetAddress> parseIpv6(String text) {
        if (!IPV6.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            // With a colon in it the JDK never looks a text up, it only reads it.
            return Optional.of(InetAddress.getByName(text));
        } catch (UnknownHostException notAnAddress) {
            return Optional.empty();
        }
    }

    static InetAddress fromBytes(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException("an address has 4 or 16 bytes, not " + bytes.length, impossible);
        }
    }

    /** The same address that answers with this name, so that TLS checks the name; there is nothing left to look up. */
    static InetAddress withHostName(String name, InetAddress address) {
        try {
            return InetAddress.getByAddress(name, address.getAddress());
        } catch (UnknownHostException impossible) {
            throw new IllegalArgumentException("an address has 4 or 16 bytes", impossible);
        }
    }
}
