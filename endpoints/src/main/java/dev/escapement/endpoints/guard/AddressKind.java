package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.util.Optional;

/** The kinds of special addresses, which are called only if an {@link AllowList} permits it. */
public enum AddressKind {
    UNSPECIFIED("the unspecified address"),
    BROADCAST("the broadcast address"),
    MULTICAST("a multicast address"),
    /** Serves cloud credentials to any process on the machine. */
    METADATA("a cloud's metadata address"),
    LOOPBACK("a loopback address"),
    PRIVATE("a private address"),
    LINK_LOCAL("a link-local address"),
    SHARED("an address of carrier-grade NAT"),
    DOCUMENTATION("an address for documentation"),
    BENCHMARKING("an address for benchmarks"),
    /** Reaches any IPv4 address, so it would bypass every other rule. */
    TUNNEL("an IPv6 address that stands for an IPv4 address"),
    DISCARD("an address that discards packets"),
    RESERVED("a reserved address");

    private final String description;

    AddressKind(String description) {
        this.description = description;
    }

    /** Returns the kind of the address; empty for a public address. */
    public static Optional<AddressKind> of(InetAddress address) {
        return SpecialAddressRanges.kindOf(address);
    }

    /** Whether no allow list can permit it: it is not the address of a single machine. */
    public boolean isAlwaysDenied() {
        return this == UNSPECIFIED || this == BROADCAST || this == MULTICAST;
    }

    /** The kind in words, with its article. */
    public String description() {
        return description;
    }
}
