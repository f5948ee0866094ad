package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The kinds of special addresses, which are called only if an {@link AllowList} permits it. The ranges follow the IANA
 * special-purpose registries and the documentation of cloud providers. The first kind that has an address decides, so
 * kinds that are never allowed and single addresses come first.
 */
public enum AddressKind {
    UNSPECIFIED("the unspecified address", "0.0.0.0 ::"),
    BROADCAST("the broadcast address", "255.255.255.255"),
    MULTICAST("a multicast address", "224.0.0.0/4 ff00::/8"),
    /** Serves cloud credentials to any process on the machine. */
    METADATA(
            "a cloud's metadata address",
            "169.254.169.0/24 169.254.170.0/24 169.254.42.42 169.254.0.23 100.100.100.200 168.63.129.16 192.0.0.192"
                    + " fd00:ec2::/32 fd20:ce::/32 fd00:c1::a9fe:a9fe fd00:a9fe:a9fe::1 fd00:42::42 fe80::a9fe:a9fe"),
    LOOPBACK("a loopback address", "127.0.0.0/8 ::1"),
    PRIVATE("a private address", "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7 fec0::/10"),
    LINK_LOCAL("a link-local address", "169.254.0.0/16 fe80::/10"),
    SHARED("an address of carrier-grade NAT", "100.64.0.0/10"),
    DOCUMENTATION(
            "an address for documentation", "192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32 3fff::/20"),
    BENCHMARKING("an address for benchmarks", "198.18.0.0/15 2001:2::/48"),
    /** Reaches any IPv4 address, so it would bypass every other rule. */
    TUNNEL(
            "an IPv6 address that stands for an IPv4 address",
            "::/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 2001::/32 2002::/16 192.88.99.0/24"),
    DISCARD("an address that discards packets", "100::/64 100:0:0:1::/64"),
    RESERVED("a reserved address", "0.0.0.0/8 192.0.0.0/24 240.0.0.0/4 2001::/23"),
    /** Not by its range: an address of this machine, with the port of this server. */
    THIS_SERVER("this server itself", "");

    private static final IpRange GLOBAL_IPV6 = IpRange.parse("2000::/3");

    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // The list and its elements never change.
    private final List<IpRange> ranges;

    AddressKind(String description, String ranges) {
        this.description = description;
        this.ranges = Arrays.stream(ranges.split(" ", -1))
                .filter(range -> !range.isEmpty())
                .map(IpRange::parse)
                .toList();
    }

    /**
     * Returns the kind of the address; empty for a public address. A tunnel address that embeds a metadata or
     * never-allowed IPv4 address has the kind of that address.
     */
    public static Optional<AddressKind> of(InetAddress address) {
        Optional<AddressKind> kind = directKindOf(address);
        return kind.filter(TUNNEL::equals)
                .flatMap(tunnel -> kindOfEmbedded(address))
                .or(() -> kind);
    }

    private static Optional<AddressKind> kindOfEmbedded(InetAddress tunnel) {
        List<InetAddress> candidates = embeddedIpv4(tunnel);
        // All but one of several candidates are wrong; their zeros must not deny whole ranges by accident.
        boolean unambiguous = candidates.size() == 1;
        return candidates.stream()
                .flatMap(embedded -> directKindOf(embedded).stream())
                .filter(kind -> kind == METADATA || (unambiguous && kind.isAlwaysDenied()))
                .findFirst();
    }

    private static Optional<AddressKind> directKindOf(InetAddress address) {
        for (AddressKind kind : values()) {
            if (kind.ranges.stream().anyMatch(range -> range.contains(address))) {
                return Optional.of(kind);
            }
        }
        if (isMapped(address)) {
            return Optional.of(TUNNEL);
        }
        boolean publicAddress = address.getAddress().length == 4 || GLOBAL_IPV6.contains(address);
        return publicAddress ? Optional.empty() : Optional.of(RESERVED);
    }

    /** Whether no allow list can permit it: it is not the address of a single machine. */
    public boolean isAlwaysDenied() {
        return this == UNSPECIFIED || this == BROADCAST || this == MULTICAST;
    }

    /** Names only the kind of address: the address itself would reveal the internal network to callers. */
    String describeDenial(String host) {
        String why = host + " resolves to " + description;
        return isAlwaysDenied()
                ? why + ", which is never called; use another host"
                : why + ", which is not called by default (" + this + "); an operator can allow it with "
                        + (this == THIS_SERVER ? "an entry for its port in the setting" : "the setting")
                        + " endpoints.allow";
    }

    /**
     * An IPv6 transition mechanism (NAT64, 6to4, Teredo, …): which bytes of its addresses hold an IPv4 address.
     *
     * @param inverted whether every bit is flipped
     */
    private record Embedding(IpRange range, List<Integer> byteIndexes, boolean inverted) {

        static Embedding of(String range, Integer... bytes) {
            return new Embedding(IpRange.parse(range), List.of(bytes), false);
        }

        InetAddress extract(byte[] address16) {
            byte[] ipv4 = new byte[4];
            for (int i = 0; i < ipv4.length; i++) {
                byte octet = address16[byteIndexes.get(i)];
                ipv4[i] = inverted ? (byte) ~octet : octet;
            }
            return AddressParser.fromBytes(ipv4);
        }
    }

    private static final Integer[] LAST_FOUR_BYTES = {12, 13, 14, 15};

    /** Below {@code 64:ff9b:1::/48} each network chooses its own prefix length, so every length is listed. */
    private static final List<Embedding> EMBEDDINGS = List.of(
            Embedding.of("::/96", LAST_FOUR_BYTES),
            Embedding.of("::ffff:0:0:0/96", LAST_FOUR_BYTES),
            Embedding.of("64:ff9b::/96", LAST_FOUR_BYTES),
            Embedding.of("64:ff9b:1::/48", LAST_FOUR_BYTES),
            Embedding.of("64:ff9b:1::/48", 9, 10, 11, 12),
            Embedding.of("64:ff9b:1::/48", 7, 9, 10, 11),
            Embedding.of("64:ff9b:1::/48", 6, 7, 9, 10),
            Embedding.of("2002::/16", 2, 3, 4, 5),
            new Embedding(IpRange.parse("2001::/32"), List.of(LAST_FOUR_BYTES), true));

    private static final byte[] MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    /** Returns all IPv4 addresses that may be embedded; empty for an ordinary address. */
    private static List<InetAddress> embeddedIpv4(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (isMapped(address)) {
            return List.of(AddressParser.fromBytes(Arrays.copyOfRange(bytes, MAPPED_PREFIX.length, bytes.length)));
        }
        return EMBEDDINGS.stream()
                .filter(embedding -> embedding.range().contains(address))
                .map(embedding -> embedding.extract(bytes))
                .toList();
    }

    /** Whether it is in {@code ::ffff:0:0/96}. The JDK parses such text as IPv4, but not such bytes. */
    private static boolean isMapped(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 16 && Arrays.equals(MAPPED_PREFIX, Arrays.copyOf(bytes, MAPPED_PREFIX.length));
    }
}
