package dev.escapement.endpoints.guard;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/** Extracts the IPv4 addresses that IPv6 transition mechanisms (NAT64, 6to4, Teredo, …) embed in an IPv6 address. */
final class EmbeddedIpv4 {

    /**
     * One mechanism: which bytes of the IPv6 address hold the IPv4 address.
     *
     * @param inverted whether every bit is flipped
     */
    private record Embedding(IpRange range, List<Integer> byteIndexes, boolean inverted) {

        static Embedding of(String range, Integer... bytes) {
            return new Embedding(IpRange.parse(range), List.of(bytes), false);
        }

        InetAddress extract(byte[] address16) {
            byte[] ipv4 = new byte[4];
            for (int i = 0; i < ipv4.length; i++) {
                byte octet = address16[byteIndexes.get(i)];
                ipv4[i] = inverted ? (byte) ~octet : octet;
            }
            return AddressParser.fromBytes(ipv4);
        }
    }

    private static final Integer[] LAST_FOUR_BYTES = {12, 13, 14, 15};

    /** Below {@code 64:ff9b:1::/48} each network chooses its own prefix length, so every length is listed. */
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

    /** Returns all IPv4 addresses that may be embedded; empty for an ordinary address. */
    static List<InetAddress> extractAll(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (isMapped(address)) {
            return List.of(AddressParser.fromBytes(Arrays.copyOfRange(bytes, MAPPED_PREFIX.length, bytes.length)));
        }
        return EMBEDDINGS.stream()
                .filter(embedding -> embedding.range().contains(address))
                .map(embedding -> embedding.extract(bytes))
                .toList();
    }

    /** Whether it is in {@code ::ffff:0:0/96}. The JDK parses such text as IPv4, but not such bytes. */
    static boolean isMapped(InetAddress address) {
        byte[] bytes = address.getAddress();
        return bytes.length == 16 && Arrays.equals(MAPPED_PREFIX, Arrays.copyOf(bytes, MAPPED_PREFIX.length));
    }
}
