package dev.escapement.common;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes SHA-256 digests. */
public final class Digests {

    private Digests() {}

    /** Returns the 32 bytes of the digest. */
    public static byte[] sha256(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }

    /** Returns the digest as 64 hexadecimal digits in lower case. */
    public static String sha256Hex(byte[] content) {
        return HexFormat.of().formatHex(sha256(content));
    }

    /** Returns the digest of the text in UTF-8 as 64 hexadecimal digits in lower case. */
    public static String sha256Hex(String text) {
        return sha256Hex(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the first bytes of the digest of the text in UTF-8, as hexadecimal digits in lower case.
     *
     * @param bytes how many bytes, 1 to 32; the result has twice as many digits
     * @throws IndexOutOfBoundsException if {@code bytes} is negative or above 32
     */
    public static String sha256Hex(String text, int bytes) {
        return HexFormat.of().formatHex(sha256(text.getBytes(StandardCharsets.UTF_8)), 0, bytes);
    }
}
