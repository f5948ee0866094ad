package dev.escapement.server.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.escapement.server.StartException;
import dev.escapement.server.StartException.Reason;
import dev.escapement.server.document.JsonWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's own folder: for nobody else's eyes, used by one server at a time, with the id under which this server is
 * known to others, and with its address while it runs.
 */
final class DataFolder implements AutoCloseable {

    /** Where the address of the running server stands, for the command line. */
    static final String SERVER_FILE = "server.json";

    private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);
    private static final String LOCK_FILE = "server.lock";
    private static final String ID_FILE = "server.id";

    private final Path folder;
    private final FileChannel lockChannel;
    private String serverId;

    private DataFolder(Path folder, FileChannel lockFile, String serverId) {
        this.folder = folder;
        this.lockChannel = lockFile;
        this.serverId = serverId;
    }

    /** Makes the folder if there is none, and takes it for this server. */
    static DataFolder open(Path folder) {
        try {
            Files.createDirectories(folder, ownerOnlyPermissions("rwx------"));
            warnIfAccessibleToOthers(folder);
            FileChannel channel = lock(folder);
            try {
                return new DataFolder(folder, channel, serverId(folder));
            } catch (IOException failure) {
                channel.close();
                throw failure;
            }
        } catch (IOException failure) {
            throw new StartException(
                    Reason.DATA_FOLDER,
                    "data folder %s cannot be used (%s: %s): it must be a folder that this user can write; name another"
                                    .formatted(folder, failure.getClass().getSimpleName(), failure.getMessage())
                            + " with --data",
                    failure);
        }
    }

    /** A folder that somebody made may be open on purpose; it is not ours to close. */
    private static void warnIfAccessibleToOthers(Path folder) throws IOException {
        if (ownerOnlyPermissions("rwx------").length > 0) {
            String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(folder));
            if (!permissions.endsWith("------")) {
                LOG.warn("data folder {} is open to others ({}): chmod 700 closes it", folder, permissions);
            }
        }
    }

    /** The lock ends with the process, however that ends; the number in the file is only for people. */
    private static FileChannel lock(Path folder) throws IOException {
        FileChannel channel = FileChannel.open(
                folder.resolve(LOCK_FILE),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException byThisProcess) {
            LOG.debug("this process has the lock already");
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        if (lock == null) {
            throw new StartException(
                    Reason.DATA_FOLDER_IN_USE,
                    "data folder %s is used by another server (process %s): stop it, or name another folder with --data"
                            .formatted(
                                    folder,
                                    Files.readString(folder.resolve(LOCK_FILE)).strip()));
        }
        channel.truncate(0);
        channel.write(
                ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(UTF_8)), 0);
        return channel;
    }

    private static String serverId(Path folder) throws IOException {
        Path file = folder.resolve(ID_FILE);
        if (Files.exists(file)) {
            String id = Files.readString(file).strip();
            if (id.matches("[a-z0-9-]{4,64}")) {
                return id;
            }
            LOG.warn("{} is damaged: this server gets a new id", file);
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

    /** Under which the other servers on the same database know this one. */
    String serverId() {
        return serverId;
    }

    /** Takes a new id: others have taken over from the old one. */
    void renewServerId() {
        try {
            serverId = createServerId(folder);
        } catch (IOException failure) {
            throw new StartException(
                    Reason.DATA_FOLDER, "data folder " + folder + " cannot be written: " + failure, failure);
        }
    }

    /** Says where the server is, for the command line. */
    void writeServerFile(Map<String, Object> address) throws IOException {
        replaceFile(folder.resolve(SERVER_FILE), JsonWriter.toLine(address));
    }

    /** A file for the owner's eyes only, there as a whole or not at all. */
    static void replaceFile(Path file, String text) throws IOException {
        Path half = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(half);
        Files.createFile(half, ownerOnlyPermissions("rw-------"));
        Files.writeString(half, text);
        Files.move(half, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static FileAttribute<?>[] ownerOnlyPermissions(String permissions) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(folder.resolve(SERVER_FILE));
            lockChannel.close();
        } catch (IOException failure) {
            LOG.warn("data folder {} was not left cleanly: {}", folder, failure.toString());
        }
    }
}
