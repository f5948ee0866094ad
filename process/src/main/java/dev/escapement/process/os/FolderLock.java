package dev.escapement.process.os;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Locks a folder against other servers. The system releases the lock when the process ends. */
public record FolderLock(FileChannel channel) implements AutoCloseable {

    public static FolderLock acquire(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return new FolderLock(channel);
            }
        } catch (OverlappingFileLockException inThisProcess) {
            // Same as a lock held by another process.
        }
        channel.close();
        throw new IOException(
                "%s is in use by another server: use a separate data folder for each server".formatted(folder));
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
