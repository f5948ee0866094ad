package dev.escapement.process.os;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Keeps a second server from the same folder. The system gives it back when the process ends, however it does. */
public record FolderLock(FileChannel channel) implements AutoCloseable {

    public static FolderLock acquire(Path folder) throws IOException {
        FileChannel channel =
                FileChannel.open(folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return new FolderLock(channel);
            }
        } catch (OverlappingFileLockException inThisProcess) {
            // The same to whoever asks.
        }
        channel.close();
        throw new IOException(
                "%s is in use by another server: give each server a data folder of its own".formatted(folder));
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
