package dev.escapement.process.run;

import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** Makes unique parts of file names. */
public final class Nonces {

    private static final int BYTES = 12;

    private Nonces() {}

    /** Returns 24 hexadecimal digits. */
    public static String random(RandomGenerator random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
