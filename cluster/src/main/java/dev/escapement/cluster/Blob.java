package dev.escapement.cluster;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Bytes that a registry hands out by their digest.
 *
 * @param mediaType what they are
 * @param digest such as {@code sha256:…}
 * @param content must not be changed
 */
@SuppressWarnings("ArrayRecordComponent") // Compared by digest, which is what a digest is for.
record Blob(String mediaType, String digest, byte[] content) {

    static Blob of(String mediaType, byte[] content) {
        return new Blob(mediaType, digestOf(content), content);
    }

    static String digestOf(byte[] content) {
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
