package dev.escapement.common;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files and folders that only their owner can read, whatever the umask is. Where the file system has no POSIX
 * permissions, its defaults apply.
 */
public final class PrivateFiles {

    private static final Logger LOG = LoggerFactory.getLogger(PrivateFiles.class);
    private static final Set<PosixFilePermission> FILE_PERMISSIONS = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOLDER_PERMISSIONS = PosixFilePermissions.fromString("rwx------");

    private PrivateFiles() {}

    /** Returns the attributes of a new file. */
    public static FileAttribute<?>[] fileAttributes(Path file) {
        return attributes(file, FILE_PERMISSIONS);
    }

    /** Returns the attributes of a new folder. */
    public static FileAttribute<?>[] folderAttributes(Path folder) {
        return attributes(folder, FOLDER_PERMISSIONS);
    }

    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
        return supportsPermissions(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /** Creates an empty file, or makes an existing one unreadable for other users. Returns whether it was created. */
    public static boolean createOrRestrict(Path file) throws IOException {
        try {
            Files.createFile(file, fileAttributes(file));
            return true;
        } catch (FileAlreadyExistsException exists) {
            restrict(file);
            return false;
        }
    }

    /** Makes a file unreadable for other users; does nothing if it does not exist. */
    public static void restrict(Path file) throws IOException {
        Optional<Set<PosixFilePermission>> permissions = permissions(file);
        if (permissions.isPresent() && !FILE_PERMISSIONS.containsAll(permissions.get())) {
            try {
                Files.setPosixFilePermissions(file, FILE_PERMISSIONS);
                LOG.warn("File {} was accessible to other users; its permissions are now rw-------", file);
            } catch (IOException notOwner) {
                LOG.warn(
                        "File {} is accessible to other users and cannot be restricted: {}", file, notOwner.toString());
            }
        }
    }

    /** Returns the permissions; empty if there is no such file, or the file system has none. */
    public static Optional<Set<PosixFilePermission>> permissions(Path path) throws IOException {
        return supportsPermissions(path) && Files.exists(path)
                ? Optional.of(Files.getPosixFilePermissions(path))
                : Optional.empty();
    }

    private static boolean supportsPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
