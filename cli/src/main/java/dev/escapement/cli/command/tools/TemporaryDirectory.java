package dev.escapement.cli.command.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder that goes when it is closed, with all that is in it.
 *
 * @param path that was just made
 */
record TemporaryDirectory(Path path) implements AutoCloseable {

    /** What cannot be removed stays: the system clears such folders some day. */
    @Override
    public void close() {
        try (Stream<Path> all = Files.walk(path)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException stays) {
            // Something may still write there; nothing depends on it.
        }
    }
}
