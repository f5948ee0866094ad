package dev.escapement.cluster;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** An archive with one file in it, in the oldest format that everybody reads. */
final class Tar {

    private static final int BLOCK = 512;
    private static final int LONGEST_NAME = 100;
    private static final int CHECKSUM = 148;

    private Tar() {}

    static byte[] of(String name, byte[] content) {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        tar.writeBytes(header(name, content.length));
        tar.writeBytes(content);
        tar.writeBytes(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
        // Two empty blocks end an archive.
        tar.writeBytes(new byte[2 * BLOCK]);
        return tar.toByteArray();
    }

    private static byte[] header(String name, int size) {
        byte[] header = new byte[BLOCK];
        String shown = name.length() > LONGEST_NAME ? name.substring(0, LONGEST_NAME) : name;
        put(header, 0, shown);
        put(header, 100, "0000600\0");
        put(header, 108, "0000000\0");
        put(header, 116, "0000000\0");
        put(header, 124, "%011o\0".formatted(size));
        put(header, 136, "00000000000\0");
        // While it is computed the checksum counts as spaces.
        Arrays.fill(header, CHECKSUM, CHECKSUM + 8, (byte) ' ');
        header[156] = '0';
        put(header, 257, "ustar\0" + "00");
        int sum = 0;
        for (byte each : header) {
            sum += each & 0xFF;
        }
        put(header, CHECKSUM, "%06o\0 ".formatted(sum));
        return header;
    }

    private static void put(byte[] header, int offset, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, offset, bytes.length);
    }
}
