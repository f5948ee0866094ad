package dev.escapement.endpoints.call;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/** The IPv4 addresses that an IPv6 address leads to, by one of the ways from the one network into the other. */
final class EmbeddedFour {

    /**
     * Where in the address the bytes are.
     *
     * @param inverted whether every bit of them is
     */
    private record Way(Net net, List<Integer> bytes, boolean inverted) {

        static Way of(String net, Integer... bytes) {
            return new Way(Net.parse(net), List.of(bytes), false);
        }

        InetAddress follow(byte[] from) {
            byte[] four = new byte[4];
            for (int i = 0; i < four.length; i++) {
                byte found = from[bytes.get(i)];
                four[i] = inverted ? (byte) ~found : found;
            }
            return Addresses.of(four);
        }
    }

    private static final Integer[] LAST = {12, 13, 14, 15};

    /** Whoever runs a translator under {@code 64:ff9b:1::/48} chooses how long its prefix is: each length is a way. */
    private static final List<Way> WAYS = List.of(
            Way.of("::/96", LAST),
            Way.of("::ffff:0:0:0/96", LAST),
            Way.of("64:ff9b::/96", LAST),
            Way.of("64:ff9b:1::/48", LAST),
            Way.of("64:ff9b:1::/48", 9, 10, 11, 12),
            Way.of("64:ff9b:1::/48", 7, 9, 10, 11),
            Way.of("64:ff9b:1::/48", 6, 7, 9, 10),
            Way.of("2002::/16", 2, 3, 4, 5),
            new Way(Net.parse("2001::/32"), List.of(LAST), true));

    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private EmbeddedFour() {}

    /** All that it may lead to; nothing if it is an ordinary address. */
    static List<InetAddress> in(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (isMapped(address)) {
            return List.of(Addresses.of(Arrays.copyOfRange(bytes, MAPPED.length, bytes.length)));
        }
        return WAYS.stream()
                .filter(way -> way.net().contains(address))
                .map(way -> way.follow(bytes))
                .toList();
    }

    /** {@code ::ffff:0:0/96}, which the JDK reads as IPv4; an address made of bytes can still be one. */
    static boolean isMapped(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 16 && Arrays.equals(MAPPED, Arrays.copyOf(bytes, MAPPED.length));
    }
}
