package dev.escapement.cli.command.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Deletes a folder with its content when closed. */
record TemporaryDirectory(Path path) implements AutoCloseable {

    /** Ignores files that cannot be deleted: the system cleans its temporary folder. */
    @Override
    public void close() {
        try (Stream<Path> all = Files.walk(path)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.deleteIfExists(each);
            }
        } catch (IOException | UncheckedIOException ignored) {
            // Another process may still write there.
        }
    }
}
