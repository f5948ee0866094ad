package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/**
 * The special addresses that may be called: the setting {@code endpoints.allow}. Entries are separated by commas: a
 * range ({@code 10.0.0.0/8}, {@code fd00::/8}), an address, a host name ({@code intranet.example}) or all its
 * subdomains ({@code *.svc.example}), each for every port or for one ({@code 10.0.0.0/8:8080}, {@code [::1]:8080}).
 *
 * <p>A host name permits every address that it resolves to, except metadata addresses of clouds: those, and IPv6
 * addresses that embed one, must be listed as single addresses, because they serve credentials and DNS entries and wide
 * ranges include them by accident. This server itself is permitted only by an entry for its port: an endpoint that
 * calls it acts with the rights of its callers. The unspecified address, broadcast and multicast can never be
 * permitted.
 */
public final class AllowList {

    private final List<AllowListEntry> entries;
    private final IntSupplier ownPort;

    private AllowList(List<AllowListEntry> entries, IntSupplier ownPort) {
        this.entries = entries;
        this.ownPort = ownPort;
    }

    /** Returns a list that denies this port on every address of this machine, unless an entry names the port. */
    public AllowList withOwnPort(IntSupplier port) {
        return new AllowList(entries, port);
    }

    /**
     * Parses the setting; a blank text permits nothing.
     *
     * @throws IllegalArgumentException naming the invalid entry and the rule
     */
    public static AllowList parse(String text) {
        Stream<String> entries = text.isBlank() ? Stream.empty() : Stream.of(text.split(",", -1));
        return new AllowList(entries.map(AllowListEntry::parse).toList(), () -> -1);
    }

    /**
     * Returns the kind of the address if it may not be called, otherwise empty.
     *
     * @param host host of the URL: a name or the address itself
     */
    public Optional<AddressKind> findDenial(String host, int port, InetAddress address) {
        return kindOf(port, address)
                .filter(kind -> kind.isAlwaysDenied()
                        || entries.stream().noneMatch(entry -> entry.allows(kind, host, port, address)));
    }

    private Optional<AddressKind> kindOf(int port, InetAddress address) {
        Optional<AddressKind> kind = AddressKind.of(address);
        boolean own = port == ownPort.getAsInt()
                && kind.filter(AddressKind::isAlwaysDenied).isEmpty()
                && isOfThisMachine(address);
        return own ? Optional.of(AddressKind.THIS_SERVER) : kind;
    }

    private static boolean isOfThisMachine(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException unknown) {
            return true;
        }
    }

    @Override
    public String toString() {
        return String.join(",", entries.stream().map(AllowListEntry::text).toList());
    }

    /**
     * One entry of an {@link AllowList}.
     *
     * @param text the entry as configured
     * @param port the only permitted port; empty for all
     * @param range the permitted addresses; empty for an entry with a host name
     * @param name host name in lower case, with a leading dot for all subdomains; empty for a range
     */
    record AllowListEntry(String text, Optional<Integer> port, Optional<IpRange> range, String name) {

        private static final String SUBDOMAIN_PREFIX = "*.";

        static AllowListEntry parse(String written) {
            String text = written.strip();
            try {
                return parseEntry(text);
            } catch (IllegalArgumentException invalid) {
                throw new IllegalArgumentException(
                        "endpoints.allow: entry '" + text + "': " + invalid.getMessage()
                                + " (entries are like 10.0.0.0/8, 10.1.2.3:8080, [fd00::1]:8080, intranet.example or"
                                + " *.svc.example:443, separated by commas)",
                        invalid);
            }
        }

        private static AllowListEntry parseEntry(String text) {
            if (text.isEmpty()) {
                throw new IllegalArgumentException("it is empty; remove the comma");
            }
            int end = findPortSeparator(text);
            Optional<Integer> port = end == text.length()
                    ? Optional.empty()
                    : Optional.of(AddressParser.parsePort(text.substring(end + 1)));
            String host = text.substring(0, end);
            if (host.startsWith("[") && host.endsWith("]")) {
                host = host.substring(1, host.length() - 1);
            }
            boolean isRange = host.indexOf('/') >= 0
                    || host.indexOf(':') >= 0
                    || AddressParser.parse(host).isPresent();
            return isRange
                    ? new AllowListEntry(text, port, Optional.of(IpRange.parse(host)), "")
                    : new AllowListEntry(text, port, Optional.empty(), parseName(host.toLowerCase(Locale.ROOT)));
        }

        /**
         * Returns the index of the colon before the port, or the length of the text; IPv6 addresses have colons too.
         */
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
            if (colon < 0 || text.indexOf(':', colon + 1) < 0) {
                return colon < 0 ? text.length() : colon;
            }
            rejectAmbiguousPort(text, text.lastIndexOf(':'));
            return text.length();
        }

        /** An IPv6 address without brackets whose last part may be meant as a port. */
        private static void rejectAmbiguousPort(String text, int lastColon) {
            String host = text.substring(0, lastColon);
            String port = text.substring(lastColon + 1);
            if (port.matches("[0-9]{1,5}") && AddressParser.parse(host).isPresent()) {
                throw new IllegalArgumentException(
                        "it is either an IPv6 address or one with a port; write [%s] for the address, or [%s]:%s for the port"
                                .formatted(text, host, port));
            }
        }

        private static String parseName(String host) {
            if (host.equals("*")) {
                throw new IllegalArgumentException("it would allow every host; list the hosts that you need");
            }
            String name = host.startsWith(SUBDOMAIN_PREFIX) ? host.substring(SUBDOMAIN_PREFIX.length()) : host;
            AddressParser.checkHostName(name);
            return host.startsWith(SUBDOMAIN_PREFIX) ? "." + name : name;
        }

        boolean allows(AddressKind kind, String host, int calledPort, InetAddress address) {
            if (port.isPresent() ? port.get() != calledPort : kind == AddressKind.THIS_SERVER) {
                return false;
            }
            if (range.isPresent()) {
                return range.get().contains(address)
                        && (kind != AddressKind.METADATA || range.get().isSingleAddress());
            }
            String lowerHost = host.toLowerCase(Locale.ROOT);
            return kind != AddressKind.METADATA
                    && (name.startsWith(".") ? lowerHost.endsWith(name) : lowerHost.equals(name));
        }
    }
}
