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

/** Which block of addresses is of which kind: the registries of special-purpose addresses, and what clouds do. */
final class SpecialAddressRanges {

    private record SpecialRange(AddressKind kind, IpRange range) {}

    /** An address is of the first kind that fits, so what is never allowed and what is special come first. */
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

    private static List<SpecialRange> rangesOf(AddressKind kind, String... nets) {
        return Arrays.stream(nets)
                .map(net -> new SpecialRange(kind, IpRange.parse(net)))
                .toList();
    }

    /** What leads to an IPv4 address that is allowed with care, or never, is of that address's kind. */
    static Optional<AddressKind> kindOf(InetAddress address) {
        Optional<AddressKind> kind = directKindOf(address);
        return kind.filter(TUNNEL::equals)
                .flatMap(tunnel -> kindOfEmbedded(address))
                .or(() -> kind);
    }

    private static Optional<AddressKind> kindOfEmbedded(InetAddress tunnel) {
        List<InetAddress> readings = EmbeddedIpv4.extractAll(tunnel);
        // Of several readings all but one are wrong, and would deny zeros and whole blocks by chance.
        boolean sure = readings.size() == 1;
        return readings.stream()
                .flatMap(four -> directKindOf(four).stream())
                .filter(kind -> kind == METADATA || (sure && kind.isAlwaysDenied()))
                .findFirst();
    }

    private static Optional<AddressKind> directKindOf(InetAddress address) {
        for (SpecialRange block : RANGES) {
            if (block.range().contains(address)) {
                return Optional.of(block.kind());
            }
        }
        if (EmbeddedIpv4.isMapped(address)) {
            return Optional.of(TUNNEL);
        }
        boolean ordinary = address.getAddress().length == 4 || GLOBAL_IPV6.contains(address);
        return ordinary ? Optional.empty() : Optional.of(RESERVED);
    }
}
