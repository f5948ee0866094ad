package dev.escapement.benchmarks.kubernetes;

import dev.escapement.governor.Target;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes the name of the run of an execution, as the operator does. */
final class ExpectedRunNames {

    private static final int HASH_BYTES = 5;

    private ExpectedRunNames() {}

    static String of(Target target, String uid) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(uid.getBytes(StandardCharsets.UTF_8));
            return target.objectName() + "-" + HexFormat.of().formatHex(hash, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
