package dev.escapement.testkit.cluster;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A tar archive with one file, in the oldest format, which every program reads. */
final class TarArchive {

    private static final int BLOCK_SIZE = 512;
    private static final int MAX_NAME_LENGTH = 100;
    private static final int CHECKSUM_OFFSET = 148;

    private TarArchive() {}

    static byte[] of(String name, byte[] content) {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        tar.writeBytes(header(name, content.length));
        tar.writeBytes(content);
        tar.writeBytes(new byte[(BLOCK_SIZE - content.length % BLOCK_SIZE) % BLOCK_SIZE]);
        // Two empty blocks end an archive.
        tar.writeBytes(new byte[2 * BLOCK_SIZE]);
        return tar.toByteArray();
    }

    private static byte[] header(String name, int size) {
        byte[] header = new byte[BLOCK_SIZE];
        String shown = name.length() > MAX_NAME_LENGTH ? name.substring(0, MAX_NAME_LENGTH) : name;
        put(header, 0, shown);
        put(header, 100, "0000600\0");
        put(header, 108, "0000000\0");
        put(header, 116, "0000000\0");
        put(header, 124, "%011o\0".formatted(size));
        put(header, 136, "00000000000\0");
        // The checksum is computed with spaces in its own field.
        Arrays.fill(header, CHECKSUM_OFFSET, CHECKSUM_OFFSET + 8, (byte) ' ');
        header[156] = '0';
        put(header, 257, "ustar\0" + "00");
        int sum = 0;
        for (byte each : header) {
            sum += each & 0xFF;
        }
        put(header, CHECKSUM_OFFSET, "%06o\0 ".formatted(sum));
        return header;
    }

    private static void put(byte[] header, int offset, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, offset, bytes.length);
    }
}
