package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;

/**
 * One entry of an {@link AllowList}.
 *
 * @param text as it was written
 * @param port the only one, or empty for all
 * @param range the block, or empty if the entry is about names
 * @param name the name in lower case; with a leading dot it stands for all below it
 */
record AllowListEntry(String text, Optional<Integer> port, Optional<IpRange> range, String name) {

    private static final String SUBDOMAIN_PREFIX = "*.";

    static AllowListEntry parse(String written) {
        String text = written.strip();
        try {
            return parseEntry(text);
        } catch (IllegalArgumentException flaw) {
            throw new IllegalArgumentException(
                    "endpoints.allow: entry '" + text + "': " + flaw.getMessage()
                            + " (entries are like 10.0.0.0/8, 10.1.2.3:8080, [fd00::1]:8080, intranet.example or"
                            + " *.svc.example:443, separated by commas)",
                    flaw);
        }
    }

    private static AllowListEntry parseEntry(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("it is empty; remove the comma or write something");
        }
        int end = findPortSeparator(text);
        Optional<Integer> port =
                end == text.length() ? Optional.empty() : Optional.of(PortParser.parse(text.substring(end + 1)));
        String place = text.substring(0, end);
        if (place.startsWith("[") && place.endsWith("]")) {
            place = place.substring(1, place.length() - 1);
        }
        boolean block = place.indexOf('/') >= 0
                || place.indexOf(':') >= 0
                || AddressParser.parse(place).isPresent();
        return block
                ? new AllowListEntry(text, port, Optional.of(IpRange.parse(place)), "")
                : new AllowListEntry(text, port, Optional.empty(), name(place.toLowerCase(Locale.ROOT)));
    }

    /** Where the colon before the port is, or the end: an IPv6 address has colons of its own. */
    private static int findPortSeparator(String text) {
        if (text.startsWith("[")) {
            int bracket = text.indexOf(']');
            if (bracket < 0) {
                throw new IllegalArgumentException("the bracket ']' is missing");
            }
            if (bracket + 1 < text.length() && text.charAt(bracket + 1) != ':') {
                throw new IllegalArgumentException("after ']' only a colon and a port may follow");
            }
            return bracket + 1;
        }
        int colon = text.indexOf(':');
        return colon < 0 || text.indexOf(':', colon + 1) >= 0 ? text.length() : colon;
    }

    private static String name(String place) {
        if (place.equals("*")) {
            throw new IllegalArgumentException("it would allow everything; name what you need");
        }
        String bare = place.startsWith(SUBDOMAIN_PREFIX) ? place.substring(SUBDOMAIN_PREFIX.length()) : place;
        AddressParser.findHostNameProblem(bare).ifPresent(flaw -> {
            throw new IllegalArgumentException(flaw);
        });
        return place.startsWith(SUBDOMAIN_PREFIX) ? "." + bare : bare;
    }

    boolean allows(AddressKind kind, String host, int toPort, InetAddress address) {
        if (port.isPresent() && port.get() != toPort) {
            return false;
        }
        if (range.isPresent()) {
            return range.get().contains(address)
                    && (kind != AddressKind.METADATA || range.get().isSingleAddress());
        }
        String asked = host.toLowerCase(Locale.ROOT);
        return kind != AddressKind.METADATA && (name.startsWith(".") ? asked.endsWith(name) : asked.equals(name));
    }

    @Override
    public String toString() {
        return text;
    }
}
