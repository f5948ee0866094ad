package dev.escapement.testkit.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;

/**
 * The keys that sign and verify the tokens of service accounts, as PEM files.
 *
 * @param privateKey only the owner can read it
 * @param publicKey for verification
 */
record ServiceAccountKeys(Path privateKey, Path publicKey) {

    private static final int KEY_BITS = 2048;
    private static final int PEM_LINE_LENGTH = 64;

    static ServiceAccountKeys generate(Path folder) throws IOException {
        ServiceAccountKeys files = new ServiceAccountKeys(folder.resolve("sa.key"), folder.resolve("sa.pub"));
        KeyPair pair = generateKeyPair();
        writeSecret(files.privateKey, toPem("PRIVATE KEY", pair.getPrivate().getEncoded()));
        Files.writeString(files.publicKey, toPem("PUBLIC KEY", pair.getPublic().getEncoded()));
        return files;
    }

    /** Creates a file that only its owner can read. */
    static void writeSecret(Path file, String content) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, content);
    }

    private static KeyPair generateKeyPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(KEY_BITS);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("RSA is missing", impossible);
        }
    }

    private static String toPem(String kind, byte[] encoded) {
        String body = Base64.getMimeEncoder(PEM_LINE_LENGTH, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(encoded);
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(kind, body, kind);
    }
}
