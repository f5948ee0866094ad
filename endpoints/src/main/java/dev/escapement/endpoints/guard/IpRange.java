package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.util.Optional;

/**
 * A block of addresses.
 *
 * @param first the first address of it
 * @param prefix how many leading bits all of them share
 */
record IpRange(InetAddress first, int prefix) {

    /** Reads {@code 10.0.0.0/8}, or one address. */
    static IpRange parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        InetAddress parsed = AddressParser.parse(address)
                .orElseThrow(() -> new IllegalArgumentException("'" + address + "' is no address"));
        int bits = parsed.getAddress().length * 8;
        if (address.indexOf(':') >= 0 && bits == 32) {
            throw new IllegalArgumentException("'" + address + "' is an IPv4 address in IPv6; write it as IPv4");
        }
        int prefix = slash < 0 ? bits : prefix(text.substring(slash + 1), bits);
        IpRange net = new IpRange(parsed, prefix);
        if (!net.networkAddress().equals(parsed)) {
            throw new IllegalArgumentException("'" + text + "' has bits set after its first " + prefix
                    + "; did you mean " + net.networkAddress().getHostAddress() + "/" + prefix + "?");
        }
        return net;
    }

    private static int prefix(String text, int bits) {
        return Optional.of(text)
                .filter(digits -> digits.matches("[0-9]{1,3}"))
                .map(Integer::parseInt)
                .filter(number -> number <= bits)
                .orElseThrow(() -> new IllegalArgumentException(
                        "'/" + text + "' is no prefix length; give a number from 0 to " + bits));
    }

    /** Whether the address is in the block; one of the other family never is. */
    boolean contains(InetAddress address) {
        byte[] mine = first.getAddress();
        byte[] other = address.getAddress();
        if (mine.length != other.length) {
            return false;
        }
        int whole = prefix / 8;
        for (int i = 0; i < whole; i++) {
            if (mine[i] != other[i]) {
                return false;
            }
        }
        int rest = prefix % 8;
        return rest == 0 || ((mine[whole] ^ other[whole]) & 0xFF) >> (8 - rest) == 0;
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
