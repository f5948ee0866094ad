package dev.escapement.endpoints.call;

import static dev.escapement.endpoints.call.AddressKind.BENCHMARKING;
import static dev.escapement.endpoints.call.AddressKind.BROADCAST;
import static dev.escapement.endpoints.call.AddressKind.DISCARD;
import static dev.escapement.endpoints.call.AddressKind.DOCUMENTATION;
import static dev.escapement.endpoints.call.AddressKind.LINK_LOCAL;
import static dev.escapement.endpoints.call.AddressKind.LOOPBACK;
import static dev.escapement.endpoints.call.AddressKind.METADATA;
import static dev.escapement.endpoints.call.AddressKind.MULTICAST;
import static dev.escapement.endpoints.call.AddressKind.PRIVATE;
import static dev.escapement.endpoints.call.AddressKind.RESERVED;
import static dev.escapement.endpoints.call.AddressKind.SHARED;
import static dev.escapement.endpoints.call.AddressKind.TUNNEL;
import static dev.escapement.endpoints.call.AddressKind.UNSPECIFIED;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Which block of addresses is of which kind: the registries of special-purpose addresses, and what clouds do. */
final class SpecialBlocks {

    private record Block(AddressKind kind, Net net) {}

    /** An address is of the first kind that fits, so what is never allowed and what is special come first. */
    private static final List<Block> BLOCKS = Stream.of(
                    of(UNSPECIFIED, "0.0.0.0", "::"),
                    of(BROADCAST, "255.255.255.255"),
                    of(MULTICAST, "224.0.0.0/4", "ff00::/8"),
                    of(METADATA, "169.254.169.254", "169.254.169.253", "169.254.169.123", "169.254.170.2"),
                    of(METADATA, "169.254.170.23", "100.100.100.200", "168.63.129.16", "192.0.0.192"),
                    of(METADATA, "fd00:ec2::254", "fd00:ec2::253", "fd00:ec2::23", "fd20:ce::254"),
                    of(LOOPBACK, "127.0.0.0/8", "::1"),
                    of(PRIVATE, "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"),
                    of(LINK_LOCAL, "169.254.0.0/16", "fe80::/10"),
                    of(SHARED, "100.64.0.0/10"),
                    of(DOCUMENTATION, "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"),
                    of(DOCUMENTATION, "2001:db8::/32", "3fff::/20"),
                    of(BENCHMARKING, "198.18.0.0/15", "2001:2::/48"),
                    of(TUNNEL, "::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"),
                    of(TUNNEL, "2001::/32", "2002::/16", "192.88.99.0/24"),
                    of(DISCARD, "100::/64", "100:0:0:1::/64"),
                    of(RESERVED, "0.0.0.0/8", "192.0.0.0/24", "240.0.0.0/4", "2001::/23"))
            .flatMap(List::stream)
            .toList();

    private static final Net GLOBAL_SIX = Net.parse("2000::/3");

    private SpecialBlocks() {}

    private static List<Block> of(AddressKind kind, String... nets) {
        return Arrays.stream(nets).map(net -> new Block(kind, Net.parse(net))).toList();
    }

    /** What leads to an IPv4 address that is allowed with care, or never, is of that address's kind. */
    static Optional<AddressKind> kindOf(InetAddress address) {
        Optional<AddressKind> kind = ownKindOf(address);
        return kind.filter(TUNNEL::equals).flatMap(tunnel -> behind(address)).or(() -> kind);
    }

    private static Optional<AddressKind> behind(InetAddress tunnel) {
        List<InetAddress> readings = EmbeddedFour.in(tunnel);
        // Of several readings all but one are wrong, and would deny zeros and whole blocks by chance.
        boolean sure = readings.size() == 1;
        return readings.stream()
                .flatMap(four -> ownKindOf(four).stream())
                .filter(kind -> kind == METADATA || (sure && kind.isAlwaysDenied()))
                .findFirst();
    }

    private static Optional<AddressKind> ownKindOf(InetAddress address) {
        for (Block block : BLOCKS) {
            if (block.net().contains(address)) {
                return Optional.of(block.kind());
            }
        }
        if (EmbeddedFour.isMapped(address)) {
            return Optional.of(TUNNEL);
        }
        boolean ordinary = address.getAddress().length == 4 || GLOBAL_SIX.contains(address);
        return ordinary ? Optional.empty() : Optional.of(RESERVED);
    }
}
