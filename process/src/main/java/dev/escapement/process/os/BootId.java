package dev.escapement.process.os;

import dev.escapement.process.run.Digests;
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
public record BootId(String id) {

    private static final Path LINUX_BOOT_ID_FILE = Path.of("/proc/sys/kernel/random/boot_id");
    private static final int PREFIX_LENGTH = 8;

    /** From the kernel; elsewhere the time at which the first process started. */
    public static BootId current() {
        try {
            if (Files.isReadable(LINUX_BOOT_ID_FILE)) {
                return new BootId(Files.readString(LINUX_BOOT_ID_FILE, StandardCharsets.US_ASCII)
                        .strip());
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the boot id of this machine cannot be read", unreadable);
        }
        return ProcessHandle.of(1)
                .flatMap(first -> first.info().startInstant())
                .map(start -> new BootId("since-" + start.getEpochSecond()))
                .orElseGet(() -> new BootId("unknown"));
    }

    /** A few letters that all runs of this boot begin with. */
    public String uidPrefix() {
        return Digests.sha256(id).substring(0, PREFIX_LENGTH);
    }

    public boolean isBootOf(String runUid) {
        return runUid.startsWith(uidPrefix() + "-");
    }
}
