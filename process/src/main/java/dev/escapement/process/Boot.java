package dev.escapement.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * This boot of the machine. Files are not forced to the disk, so that a start is quick; what a power loss may have
 * taken is known by the boot in which it was written. A run that was prepared in another boot never begins: nobody can
 * say whether it had.
 *
 * @param id without spaces
 */
record Boot(String id) {

    private static final Path LINUX = Path.of("/proc/sys/kernel/random/boot_id");
    private static final int SHORT = 8;

    /** From the kernel; elsewhere the time at which the first process started. */
    static Boot current() {
        try {
            if (Files.isReadable(LINUX)) {
                return new Boot(
                        Files.readString(LINUX, StandardCharsets.US_ASCII).strip());
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the boot id of this machine cannot be read", unreadable);
        }
        return ProcessHandle.of(1)
                .flatMap(first -> first.info().startInstant())
                .map(start -> new Boot("since-" + start.getEpochSecond()))
                .orElseGet(() -> new Boot("unknown"));
    }

    /** A few letters that all runs of this boot begin with. */
    String mark() {
        return Hex.sha256(id).substring(0, SHORT);
    }

    boolean made(String runUid) {
        return runUid.startsWith(mark() + "-");
    }
}
