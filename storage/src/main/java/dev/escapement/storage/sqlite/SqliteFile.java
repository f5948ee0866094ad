package dev.escapement.storage.sqlite;

import dev.escapement.storage.problem.UnusableDatabaseException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** The database file: locks it for this process and configures connections to it. */
final class SqliteFile implements AutoCloseable {

    private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_WAL_BYTES = 64 << 20;

    /** Large enough for the indexes of a long history; SQLite's default is 2 MB. */
    private static final int WRITER_CACHE_KIB = 32 << 10;

    /**
     * 32 MB, half of the maximum log size; SQLite's default is 4 MB. Every endpoint keeps writing to its own page of
     * the index of a long history: the log takes these writes sequentially, a checkpoint scatters them over the file.
     */
    private static final int WAL_CHECKPOINT_PAGES = 8 << 10;

    private final Path path;
    private final FileChannel lockChannel;

    private SqliteFile(Path path, FileChannel lockChannel) {
        this.path = path;
        this.lockChannel = lockChannel;
    }

    /**
     * Creates the folder if it does not exist and locks the file against other servers.
     *
     * @throws UnusableDatabaseException if the path is not usable or the file is locked
     */
    static SqliteFile openExclusively(Path given) {
        Path path = given.toAbsolutePath().normalize();
        if (Files.isDirectory(path)) {
            throw new UnusableDatabaseException("%s is a folder: give the path of a file".formatted(path));
        }
        if (path.toString().contains("?")) {
            throw new UnusableDatabaseException(
                    "%s contains a ?, which SQLite takes for the start of options: choose another path"
                            .formatted(path));
        }
        Path lock = path.resolveSibling(path.getFileName() + ".lock");
        try {
            Files.createDirectories(lock.getParent());
            return new SqliteFile(path, acquireLock(path, lock));
        } catch (IOException failed) {
            throw new UnusableDatabaseException(
                    "cannot write to the folder of %s: %s; make it writable for this user, or choose another path"
                            .formatted(path, failed),
                    failed);
        }
    }

    private static FileChannel acquireLock(Path path, Path lock) throws IOException {
        FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock held = channel.tryLock();
            if (held != null) {
                return channel;
            }
        } catch (OverlappingFileLockException heldByThisProcess) {
            channel.close();
            throw alreadyInUse(path);
        } catch (IOException failed) {
            channel.close();
            throw failed;
        }
        channel.close();
        throw alreadyInUse(path);
    }

    private static UnusableDatabaseException alreadyInUse(Path path) {
        return new UnusableDatabaseException(
                "%s is in use by another server: stop that server first, or use another data folder".formatted(path));
    }

    Path path() {
        return path;
    }

    /** Returns a source of connections whose commits are on disk when they return. */
    SQLiteDataSource dataSource() {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.enforceForeignKeys(true);
        config.setBusyTimeout((int) BUSY_TIMEOUT.toMillis());
        config.setJournalSizeLimit(MAX_WAL_BYTES);
        config.setCacheSize(-WRITER_CACHE_KIB);
        config.setPragma(SQLiteConfig.Pragma.WAL_AUTOCHECKPOINT, Integer.toString(WAL_CHECKPOINT_PAGES));
        return dataSource(config);
    }

    /** Opens a read-only connection. */
    Connection openReader() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout((int) BUSY_TIMEOUT.toMillis());
        Connection connection = dataSource(config).getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA query_only = true");
        }
        return connection;
    }

    private SQLiteDataSource dataSource(SQLiteConfig config) {
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + path);
        return source;
    }

    @Override
    public void close() throws IOException {
        lockChannel.close();
    }
}
