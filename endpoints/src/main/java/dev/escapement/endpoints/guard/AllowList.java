package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The special addresses that may be called: the setting {@code endpoints.allow}. Entries are separated by commas: a
 * range ({@code 10.0.0.0/8}, {@code fd00::/8}), an address, a host name ({@code intranet.example}) or all its
 * subdomains ({@code *.svc.example}), each for every port or for one ({@code 10.0.0.0/8:8080}, {@code [::1]:8080}).
 *
 * <p>A host name permits every address that it resolves to, except metadata addresses of clouds: those, and IPv6
 * addresses that embed one, must be listed as single addresses, because they serve credentials and DNS entries and wide
 * ranges include them by accident. The unspecified address, broadcast and multicast can never be permitted.
 */
public final class AllowList {

    private static final AllowList EMPTY = new AllowList(List.of());

    private final List<AllowListEntry> entries;

    private AllowList(List<AllowListEntry> entries) {
        this.entries = List.copyOf(entries);
    }

    /** Permits no special address. */
    public static AllowList empty() {
        return EMPTY;
    }

    /**
     * Parses the setting; a blank text permits nothing.
     *
     * @throws IllegalArgumentException naming the invalid entry and the rule
     */
    public static AllowList parse(String text) {
        if (text.isBlank()) {
            return EMPTY;
        }
        return new AllowList(
                Arrays.stream(text.split(",", -1)).map(AllowListEntry::parse).toList());
    }

    /**
     * Returns the kind of the address if it may not be called, otherwise empty.
     *
     * @param host host of the URL: a name or the address itself
     */
    public Optional<AddressKind> findDenial(String host, int port, InetAddress address) {
        return AddressKind.of(address)
                .filter(kind -> kind.isAlwaysDenied()
                        || entries.stream().noneMatch(entry -> entry.allows(kind, host, port, address)));
    }

    @Override
    public String toString() {
        return String.join(",", entries.stream().map(AllowListEntry::toString).toList());
    }
}
