package dev.escapement.endpoints.guard;

import static dev.escapement.endpoints.guard.AddressKind.BENCHMARKING;
import static dev.escapement.endpoints.guard.AddressKind.BROADCAST;
import static dev.escapement.endpoints.guard.AddressKind.DISCARD;
import static dev.escapement.endpoints.guard.AddressKind.DOCUMENTATION;
import static dev.escapement.endpoints.guard.AddressKind.LINK_LOCAL;
import static dev.escapement.endpoints.guard.AddressKind.LOOPBACK;
import static dev.escapement.endpoints.guard.AddressKind.METADATA;
import static dev.escapement.endpoints.guard.AddressKind.MULTICAST;
import static dev.escapement.endpoints.guard.AddressKind.PRIVATE;
import static dev.escapement.endpoints.guard.AddressKind.RESERVED;
import static dev.escapement.endpoints.guard.AddressKind.SHARED;
import static dev.escapement.endpoints.guard.AddressKind.TUNNEL;
import static dev.escapement.endpoints.guard.AddressKind.UNSPECIFIED;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Maps address ranges to kinds, following the IANA special-purpose registries and cloud providers' documentation. */
final class SpecialAddressRanges {

    private record SpecialRange(AddressKind kind, IpRange range) {}

    /** The first match decides, so kinds that are never allowed and single addresses come first. */
    private static final List<SpecialRange> RANGES = Stream.of(
                    rangesOf(UNSPECIFIED, "0.0.0.0", "::"),
                    rangesOf(BROADCAST, "255.255.255.255"),
                    rangesOf(MULTICAST, "224.0.0.0/4", "ff00::/8"),
                    rangesOf(METADATA, "169.254.169.254", "169.254.169.253", "169.254.169.123", "169.254.170.2"),
                    rangesOf(METADATA, "169.254.170.23", "100.100.100.200", "168.63.129.16", "192.0.0.192"),
                    rangesOf(METADATA, "fd00:ec2::254", "fd00:ec2::253", "fd00:ec2::23", "fd20:ce::254"),
                    rangesOf(LOOPBACK, "127.0.0.0/8", "::1"),
                    rangesOf(PRIVATE, "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"),
                    rangesOf(LINK_LOCAL, "169.254.0.0/16", "fe80::/10"),
                    rangesOf(SHARED, "100.64.0.0/10"),
                    rangesOf(DOCUMENTATION, "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"),
                    rangesOf(DOCUMENTATION, "2001:db8::/32", "3fff::/20"),
                    rangesOf(BENCHMARKING, "198.18.0.0/15", "2001:2::/48"),
                    rangesOf(TUNNEL, "::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"),
                    rangesOf(TUNNEL, "2001::/32", "2002::/16", "192.88.99.0/24"),
                    rangesOf(DISCARD, "100::/64", "100:0:0:1::/64"),
                    rangesOf(RESERVED, "0.0.0.0/8", "192.0.0.0/24", "240.0.0.0/4", "2001::/23"))
            .flatMap(List::stream)
            .toList();

    private static final IpRange GLOBAL_IPV6 = IpRange.parse("2000::/3");

    private SpecialAddressRanges() {}

    private static List<SpecialRange> rangesOf(AddressKind kind, String... ranges) {
        return Arrays.stream(ranges)
                .map(range -> new SpecialRange(kind, IpRange.parse(range)))
                .toList();
    }

    /** A tunnel address that embeds a metadata or never-allowed IPv4 address has the kind of that address. */
    static Optional<AddressKind> kindOf(InetAddress address) {
        Optional<AddressKind> kind = directKindOf(address);
        return kind.filter(TUNNEL::equals)
                .flatMap(tunnel -> kindOfEmbedded(address))
                .or(() -> kind);
    }

    private static Optional<AddressKind> kindOfEmbedded(InetAddress tunnel) {
        List<InetAddress> candidates = EmbeddedIpv4.extractAll(tunnel);
        // All but one of several candidates are wrong; their zeros must not deny whole ranges by accident.
        boolean unambiguous = candidates.size() == 1;
        return candidates.stream()
                .flatMap(embedded -> directKindOf(embedded).stream())
                .filter(kind -> kind == METADATA || (unambiguous && kind.isAlwaysDenied()))
                .findFirst();
    }

    private static Optional<AddressKind> directKindOf(InetAddress address) {
        for (SpecialRange special : RANGES) {
            if (special.range().contains(address)) {
                return Optional.of(special.kind());
            }
        }
        if (EmbeddedIpv4.isMapped(address)) {
            return Optional.of(TUNNEL);
        }
        boolean publicAddress = address.getAddress().length == 4 || GLOBAL_IPV6.contains(address);
        return publicAddress ? Optional.empty() : Optional.of(RESERVED);
    }
}
