package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;

/**
 * A range of IP addresses.
 *
 * @param first the first address
 * @param prefix number of leading bits that all addresses share
 */
record IpRange(InetAddress first, int prefix) {

    /** Parses {@code 10.0.0.0/8}, or a single address. */
    static IpRange parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        InetAddress parsed = AddressParser.parse(address)
                .orElseThrow(() -> new IllegalArgumentException("'" + address + "' is not an address"));
        int maxPrefix = parsed.getAddress().length * 8;
        if (address.indexOf(':') >= 0 && maxPrefix == 32) {
            throw new IllegalArgumentException("'" + address + "' is an IPv4 address in IPv6 form; write it as IPv4");
        }
        int prefix = slash < 0 ? maxPrefix : parsePrefix(text.substring(slash + 1), maxPrefix);
        IpRange range = new IpRange(parsed, prefix);
        if (!range.networkAddress().equals(parsed)) {
            throw new IllegalArgumentException("'" + text + "' has bits set after its first " + prefix
                    + "; did you mean " + range.networkAddress().getHostAddress() + "/" + prefix + "?");
        }
        return range;
    }

    private static int parsePrefix(String text, int maxPrefix) {
        return Optional.of(text)
                .filter(digits -> digits.matches("[0-9]{1,3}"))
                .map(Integer::parseInt)
                .filter(number -> number <= maxPrefix)
                .orElseThrow(() -> new IllegalArgumentException(
                        "'/" + text + "' is not a prefix length; give a number from 0 to " + maxPrefix));
    }

    /** Whether the address is in the range; always false for the other IP version. */
    boolean contains(InetAddress address) {
        byte[] own = first.getAddress();
        byte[] other = address.getAddress();
        int index = Arrays.mismatch(own, other);
        // The first byte that differs has 24 more leading zeros as an int.
        return own.length == other.length
                && (index < 0
                        || index * 8 + Integer.numberOfLeadingZeros((own[index] ^ other[index]) & 0xFF) - 24 >= prefix);
    }

    boolean isSingleAddress() {
        return prefix == first.getAddress().length * 8;
    }

    private InetAddress networkAddress() {
        byte[] bytes = first.getAddress();
        for (int bit = prefix; bit < bytes.length * 8; bit++) {
            bytes[bit / 8] &= (byte) ~(0x80 >> (bit % 8));
        }
        return AddressParser.fromBytes(bytes);
    }
}
