package dev.escapement.process.run;

import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Creates random suffixes for names of temporary files. */
public final class Nonce {

    private static final int BYTES = 12;

    private Nonce() {}

    public static String random(RandomGenerator random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
