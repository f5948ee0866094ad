package dev.escapement.process.os;

import dev.escapement.common.Digests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Identifies the current boot of the machine. Run folders are written without fsync, so a power failure may have lost
 * files of an earlier boot. A run prepared in an earlier boot is never started, because it may have run already.
 *
 * @param id without spaces
 */
public record BootId(String id) {

    private static final Path LINUX_BOOT_ID_FILE = Path.of("/proc/sys/kernel/random/boot_id");
    private static final int PREFIX_BYTES = 4;

    /** Reads the id from the Linux kernel; on other systems derives it from the start time of process 1. */
    public static BootId current() {
        try {
            if (Files.isReadable(LINUX_BOOT_ID_FILE)) {
                return new BootId(Files.readString(LINUX_BOOT_ID_FILE, StandardCharsets.US_ASCII)
                        .strip());
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the boot id: " + LINUX_BOOT_ID_FILE, unreadable);
        }
        return ProcessHandle.of(1)
                .flatMap(first -> first.info().startInstant())
                .map(start -> new BootId("since-" + start.getEpochSecond()))
                .orElseGet(() -> new BootId("unknown"));
    }

    /** Returns the prefix of the uids of all runs prepared in this boot. */
    public String uidPrefix() {
        return Digests.sha256Hex(id, PREFIX_BYTES);
    }

    public boolean isBootOf(String runUid) {
        return runUid.startsWith(uidPrefix() + "-");
    }
}
