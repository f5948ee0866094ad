package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Which addresses of the inside may be called all the same: the setting {@code endpoints.allow}. Entries are separated
 * by commas: a block ({@code 10.0.0.0/8}, {@code fd00::/8}), an address, a name ({@code intranet.example}) or all names
 * below one ({@code *.svc.example}), each for every port or for one ({@code 10.0.0.0/8:8080}, {@code [::1]:8080}).
 *
 * <p>A name allows whatever addresses it leads to, except a cloud's metadata addresses: those have to be allowed one by
 * one as addresses, because names are changed by people who do not know this list, and who writes a block does not
 * think of the one address in it that hands out credentials. So it is with IPv6 addresses that lead to one. The
 * unspecified address, broadcast and multicast are never allowed.
 */
public final class AllowList {

    private static final AllowList EMPTY = new AllowList(List.of());

    private final List<AllowListEntry> entries;

    private AllowList(List<AllowListEntry> entries) {
        this.entries = List.copyOf(entries);
    }

    /** Nothing of the inside. */
    public static AllowList empty() {
        return EMPTY;
    }

    /** Reads the setting; an empty text allows nothing. */
    public static AllowList parse(String text) {
        if (text.isBlank()) {
            return EMPTY;
        }
        return new AllowList(
                Arrays.stream(text.split(",", -1)).map(AllowListEntry::parse).toList());
    }

    /**
     * Why an address must not be called.
     *
     * @param host as it stands in the URL: a name, or the address itself
     */
    public Optional<AddressKind> findDenial(String host, int port, InetAddress address) {
        return AddressKind.of(address)
                .filter(kind -> kind.isAlwaysDenied()
                        || entries.stream().noneMatch(entry -> entry.allows(kind, host, port, address)));
    }

    /** The entries, as they could be written. */
    @Override
    public String toString() {
        return String.join(",", entries.stream().map(AllowListEntry::toString).toList());
    }
}
