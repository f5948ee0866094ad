package dev.escapement.crashtests.kit;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Prints to standard output, in UTF-8 and with the number formats of {@link Locale#ROOT}. */
public final class Console {

    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private Console() {}

    public static void print(String format, Object... values) {
        OUT.println(String.format(Locale.ROOT, format, values));
    }

    /** Prints a line that is not a format. */
    public static void printLine(String line) {
        OUT.println(line);
    }

    /**
     * Prints the load average, which does not influence any result: other load makes times longer and uneven.
     *
     * @param ownShare the part of it that the benchmark itself causes
     */
    public static void printLoadAverage(String when, int ownShare) {
        print("%s: %s (about %d of it is the benchmark)", when, loadAverage(), ownShare);
    }

    public static String loadAverage() {
        return String.format(
                Locale.ROOT,
                "load average %.1f on %d processors",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors());
    }
}
