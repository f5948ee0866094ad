package dev.escapement.server.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.escapement.common.Json;
import dev.escapement.common.PrivateFiles;
import dev.escapement.server.StartException;
import dev.escapement.server.StartException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The data folder: locked by one server, with the server id and, while the server runs, the file with its address. */
final class DataFolder implements AutoCloseable {

    /** Name of the file that gives the address of the running server to the command line. */
    static final String SERVER_FILE = "server.json";

    private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);
    private static final String LOCK_FILE = "server.lock";
    private static final String ID_FILE = "server.id";

    /** The byte of the lock file that {@link #isInUse} tests, so that a test does not hinder a server that starts. */
    private static final long PRESENCE_BYTE = Long.MAX_VALUE - 1;

    private final Path folder;
    private final FileChannel lockChannel;
    private String serverId;

    private DataFolder(Path folder, FileChannel lockChannel, String serverId) {
        this.folder = folder;
        this.lockChannel = lockChannel;
        this.serverId = serverId;
    }

    /** Creates the folder if it does not exist, and locks it. */
    static DataFolder open(Path folder) {
        try {
            Files.createDirectories(folder, PrivateFiles.folderAttributes(folder));
            checkPermissions(folder);
            FileChannel channel = lock(folder);
            try {
                return new DataFolder(folder, channel, readOrCreateServerId(folder));
            } catch (IOException failure) {
                channel.close();
                throw failure;
            }
        } catch (IOException failure) {
            throw new StartException(
                    Reason.DATA_FOLDER,
                    "data folder %s cannot be used (%s: %s): it must be writable for this user; name another"
                                    .formatted(folder, failure.getClass().getSimpleName(), failure.getMessage())
                            + " with --data",
                    failure);
        }
    }

    /**
     * Refuses a folder in which everybody could replace the database. Otherwise only warns: a group may be intended, as
     * on a volume in Kubernetes.
     */
    private static void checkPermissions(Path folder) throws IOException {
        Set<PosixFilePermission> found = PrivateFiles.permissions(folder).orElseGet(Set::of);
        String permissions = PosixFilePermissions.toString(found);
        if (found.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new StartException(
                    Reason.DATA_FOLDER,
                    "data folder %s is writable for all users (permissions %s): use chmod 700, or name another with"
                                    .formatted(folder, permissions)
                            + " --data");
        }
        if (!permissions.endsWith("------")) {
            String message = "Data folder {} is accessible to other users: permissions={}; use chmod 700";
            LOG.warn(message, folder, permissions);
        }
    }

    /** Locks the folder until the process ends. The process id in the file is only informative. */
    private static FileChannel lock(Path folder) throws IOException {
        Path file = folder.resolve(LOCK_FILE);
        FileChannel channel = FileChannel.open(file, Set.of(CREATE, READ, WRITE), PrivateFiles.fileAttributes(file));
        FileLock lock = null;
        try {
            lock = channel.tryLock(0, PRESENCE_BYTE, false);
        } catch (OverlappingFileLockException heldByThisProcess) {
            LOG.debug("This process holds the lock of {} already", folder);
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        if (lock == null) {
            throw new StartException(
                    Reason.DATA_FOLDER_IN_USE,
                    "data folder %s is used by another server (process %s): stop it, or name another folder with --data"
                            .formatted(folder, Files.readString(file).strip()));
        }
        // Waits at most for those who test it.
        channel.lock(PRESENCE_BYTE, 1, false);
        channel.truncate(0);
        String pid = Long.toString(ProcessHandle.current().pid());
        channel.write(ByteBuffer.wrap(pid.getBytes(UTF_8)), 0);
        return channel;
    }

    /**
     * Returns whether a server runs that has locked this folder. The system releases the lock of one that was killed.
     */
    static boolean isInUse(Path folder) {
        try (FileChannel channel = FileChannel.open(folder.resolve(LOCK_FILE), READ)) {
            // Shared: two tests at once must not take each other for a server.
            return channel.tryLock(PRESENCE_BYTE, 1, true) == null;
        } catch (OverlappingFileLockException heldByThisProcess) {
            return true;
        } catch (IOException absentOrUnreadable) {
            return false;
        }
    }

    private static String readOrCreateServerId(Path folder) throws IOException {
        Path file = folder.resolve(ID_FILE);
        if (Files.exists(file)) {
            String id = Files.readString(file).strip();
            if (id.matches("[a-z0-9-]{4,64}")) {
                return id;
            }
            LOG.warn("File {} is damaged; creating a new server id", file);
        }
        return createServerId(folder);
    }

    private static String createServerId(Path folder) throws IOException {
        String id = "s-" + UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        replaceFile(folder.resolve(ID_FILE), id + "\n");
        return id;
    }

    Path path() {
        return folder;
    }

    /** Returns the id by which servers on the same database distinguish each other. */
    String serverId() {
        return serverId;
    }

    /** Replaces the id after another server has taken over the executions of the old one. */
    void renewServerId() {
        try {
            serverId = createServerId(folder);
        } catch (IOException failure) {
            throw new StartException(
                    Reason.DATA_FOLDER, "data folder " + folder + " is not writable: " + failure, failure);
        }
    }

    void writeServerFile(Map<String, Object> content) throws IOException {
        replaceFile(folder.resolve(SERVER_FILE), Json.write(content) + "\n");
    }

    /** Replaces a file atomically; only its owner can read it. */
    static void replaceFile(Path file, String text) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        Files.createFile(temporary, PrivateFiles.fileAttributes(temporary));
        Files.writeString(temporary, text);
        Files.move(temporary, file, ATOMIC_MOVE, REPLACE_EXISTING);
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(folder.resolve(SERVER_FILE));
            lockChannel.close();
        } catch (IOException failure) {
            LOG.warn("Closing data folder {} failed: {}", folder, failure.toString());
        }
    }
}
