package dev.escapement.process.run;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * All runs of a server, one folder each. A folder appears whole or not at all, and disappears from its name before it
 * is taken apart.
 */
public record RunFolderStore(Path path) {

    private static final String NEW_PREFIX = ".new-";
    private static final String REMOVED_PREFIX = ".gone-";

    /** Nobody else may read it: parameters can be secrets. */
    public void initialize() throws IOException {
        Files.createDirectories(path);
        if (Files.getFileStore(path).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        }
    }

    public RunFolder folder(String key) {
        return new RunFolder(path.resolve(key));
    }

    /** Makes the folder of a run. Returns whether it did: false if there is one already. */
    public boolean add(String key, byte[] plan, String nonce) throws IOException {
        Path fresh = Files.createDirectory(path.resolve(NEW_PREFIX + nonce));
        try {
            Files.write(fresh.resolve(RunFolder.PLAN_FILE), plan);
            // A folder with a file in it is never replaced by this, but by somebody who removed that one first.
            Files.move(fresh, path.resolve(key), StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (IOException refused) {
            deleteFolder(fresh);
            if (!Files.exists(path.resolve(key), LinkOption.NOFOLLOW_LINKS)) {
                throw refused;
            }
            return false;
        }
    }

    /** Removes a run that has ended, or whose right to begin was taken away. */
    public void remove(String key, String nonce) throws IOException {
        Path gone = path.resolve(REMOVED_PREFIX + nonce);
        try {
            Files.move(path.resolve(key), gone, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException already) {
            return;
        }
        deleteFolder(gone);
    }

    /** The names of all folders of runs. */
    public List<String> keys() throws IOException {
        List<String> keys = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(path)) {
            for (Path folder : folders) {
                String name = folder.getFileName().toString();
                if (RunName.isKey(name)) {
                    keys.add(name);
                }
            }
        }
        return keys;
    }

    /** Takes apart what a crash had left between two steps. */
    public void removeLeftovers() throws IOException {
        try (DirectoryStream<Path> halves = Files.newDirectoryStream(path, ".{new,gone}-*")) {
            for (Path half : halves) {
                deleteFolder(half);
            }
        }
    }

    private static void deleteFolder(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                if (!file.getFileName().toString().equals(RunFolder.BEGUN_FILE)) {
                    Files.deleteIfExists(file);
                }
            }
        }
        // Last: a supervisor that comes late must not find a plan without the link.
        Files.deleteIfExists(folder.resolve(RunFolder.BEGUN_FILE));
        Files.deleteIfExists(folder);
    }
}
