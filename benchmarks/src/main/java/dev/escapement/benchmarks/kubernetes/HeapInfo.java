package dev.escapement.benchmarks.kubernetes;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the output of {@code jcmd GC.heap_info}. */
final class HeapInfo {

    private static final Pattern USED =
            Pattern.compile("(?m)^\\s*(?:.*generation|garbage-first heap)\\s+total \\d+K, used (\\d+)K");
    private static final int KILOBYTE = 1024;

    private HeapInfo() {}

    /** Returns the bytes in use, of all generations. */
    static long parseUsedBytes(String text) {
        Matcher found = USED.matcher(text);
        long used = 0;
        while (found.find()) {
            used += Long.parseLong(found.group(1)) * KILOBYTE;
        }
        if (used == 0) {
            throw new IllegalArgumentException("no heap in: " + text);
        }
        return used;
    }
}
