package dev.escapement.architecture.offenders;

import java.nio.file.Files;
import java.nio.file.Path;

/** Touches the disk. */
public final class FileAccessOffender {

    private FileAccessOffender() {}

    static boolean exists(Path path) {
        return Files.exists(path);
    }
}
