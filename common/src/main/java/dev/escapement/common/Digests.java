package dev.escapement.common;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes SHA-256 digests. */
public final class Digests {

    private Digests() {}

    /** Returns the digest of the text in UTF-8, as the other method. */
    public static String sha256Hex(String text, int bytes) {
        return sha256Hex(text.getBytes(StandardCharsets.UTF_8), bytes);
    }

    /**
     * Returns the first bytes of the digest as hexadecimal digits in lower case.
     *
     * @param bytes how many bytes, 1 to 32; the result has twice as many digits
     * @throws IndexOutOfBoundsException if {@code bytes} is negative or above 32
     */
    public static String sha256Hex(byte[] content, int bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content), 0, bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
