package dev.escapement.testkit.cluster;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Bytes that a registry serves by their digest.
 *
 * @param mediaType of the content
 * @param digest such as {@code sha256:…}
 * @param content must not be changed
 */
@SuppressWarnings("ArrayRecordComponent")
public // Compared by digest.
record OciBlob(String mediaType, String digest, byte[] content) {

    static OciBlob of(String mediaType, byte[] content) {
        return new OciBlob(mediaType, digestOf(content), content);
    }

    public static String digestOf(byte[] content) {
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("SHA-256 is missing", impossible);
        }
    }
}
