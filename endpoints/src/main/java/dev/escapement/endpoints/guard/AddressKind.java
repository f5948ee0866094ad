package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.util.Optional;

/** The kinds of addresses that are not called unless somebody allows it. */
public enum AddressKind {
    UNSPECIFIED("the unspecified address"),
    BROADCAST("the broadcast address"),
    MULTICAST("a multicast address"),
    /** Where clouds hand out credentials to whoever asks from inside. */
    METADATA("a cloud's metadata address"),
    LOOPBACK("a loopback address"),
    PRIVATE("a private address"),
    LINK_LOCAL("a link-local address"),
    SHARED("an address of carrier-grade NAT"),
    DOCUMENTATION("an address for documentation"),
    BENCHMARKING("an address for benchmarks"),
    /** It leads to any IPv4 address, so it would go around every other rule. */
    TUNNEL("an IPv6 address that stands for an IPv4 address"),
    DISCARD("an address that discards"),
    RESERVED("a reserved address");

    private final String description;

    AddressKind(String words) {
        this.description = words;
    }

    /** Which kind the address is of; empty for an ordinary address of the public network. */
    public static Optional<AddressKind> of(InetAddress address) {
        return SpecialAddressRanges.kindOf(address);
    }

    /** Whether no allow-list lifts the denial: these are no addresses of a single machine. */
    public boolean isAlwaysDenied() {
        return this == UNSPECIFIED || this == BROADCAST || this == MULTICAST;
    }

    /** What it is, with its article. */
    public String description() {
        return description;
    }
}
