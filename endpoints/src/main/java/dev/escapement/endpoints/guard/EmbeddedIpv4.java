package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/** The IPv4 addresses that an IPv6 address leads to, by one of the ways from the one network into the other. */
final class EmbeddedIpv4 {

    /**
     * Where in the address the bytes are.
     *
     * @param inverted whether every bit of them is
     */
    private record Embedding(IpRange range, List<Integer> byteIndexes, boolean inverted) {

        static Embedding of(String net, Integer... bytes) {
            return new Embedding(IpRange.parse(net), List.of(bytes), false);
        }

        InetAddress extract(byte[] from) {
            byte[] four = new byte[4];
            for (int i = 0; i < four.length; i++) {
                byte found = from[byteIndexes.get(i)];
                four[i] = inverted ? (byte) ~found : found;
            }
            return AddressParser.fromBytes(four);
        }
    }

    private static final Integer[] LAST_FOUR_BYTES = {12, 13, 14, 15};

    /** Whoever runs a translator under {@code 64:ff9b:1::/48} chooses how long its prefix is: each length is a way. */
    private static final List<Embedding> EMBEDDINGS = List.of(
            Embedding.of("::/96", LAST_FOUR_BYTES),
            Embedding.of("::ffff:0:0:0/96", LAST_FOUR_BYTES),
            Embedding.of("64:ff9b::/96", LAST_FOUR_BYTES),
            Embedding.of("64:ff9b:1::/48", LAST_FOUR_BYTES),
            Embedding.of("64:ff9b:1::/48", 9, 10, 11, 12),
            Embedding.of("64:ff9b:1::/48", 7, 9, 10, 11),
            Embedding.of("64:ff9b:1::/48", 6, 7, 9, 10),
            Embedding.of("2002::/16", 2, 3, 4, 5),
            new Embedding(IpRange.parse("2001::/32"), List.of(LAST_FOUR_BYTES), true));

    private static final byte[] MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private EmbeddedIpv4() {}

    /** All that it may lead to; nothing if it is an ordinary address. */
    static List<InetAddress> extractAll(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (isMapped(address)) {
            return List.of(AddressParser.fromBytes(Arrays.copyOfRange(bytes, MAPPED_PREFIX.length, bytes.length)));
        }
        return EMBEDDINGS.stream()
                .filter(way -> way.range().contains(address))
                .map(way -> way.extract(bytes))
                .toList();
    }

    /** {@code ::ffff:0:0/96}, which the JDK reads as IPv4; an address made of bytes can still be one. */
    static boolean isMapped(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 16 && Arrays.equals(MAPPED_PREFIX, Arrays.copyOf(bytes, MAPPED_PREFIX.length));
    }
}
