package dev.escapement.common;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;

/** A lock file that at most one server holds. The system releases it when the process ends. */
public record ProcessLock(FileChannel channel) implements AutoCloseable {

    /**
     * Locks a file; creates it, readable only for its owner, if it does not exist.
     *
     * @return empty if another process holds the lock, or this one already does
     */
    public static Optional<ProcessLock> tryAcquire(Path file) throws IOException {
        FileChannel channel = FileChannel.open(
                file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), PrivateFiles.fileAttributes(file));
        boolean acquired = false;
        try {
            acquired = channel.tryLock() != null;
        } catch (OverlappingFileLockException heldByThisProcess) {
            // Same as a lock held by another process.
        } finally {
            if (!acquired) {
                channel.close();
            }
        }
        return acquired ? Optional.of(new ProcessLock(channel)) : Optional.empty();
    }

    /** @throws UncheckedIOException if the file cannot be closed */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
