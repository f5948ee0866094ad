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

/** The file: whose it is, and how connections to it are set up. */
final class SqliteFile implements AutoCloseable {

    private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_WAL_BYTES = 64 << 20;

    /** So that the indexes of a long history are not read again and again; by default it is 2 MB. */
    private static final int WRITER_CACHE_KIB = 32 << 10;

    /**
     * So much is in the log before it is carried over to the database, half of what the log may keep; by default it is
     * 4 MB. Every endpoint has a page of its own in the index of a long history and writes to it again and again: the
     * log takes that in order, the database in thousands of places.
     */
    private static final int WAL_CHECKPOINT_PAGES = 8 << 10;

    private final Path path;
    private final FileChannel lockChannel;

    private SqliteFile(Path path, FileChannel lockFile) {
        this.path = path;
        this.lockChannel = lockFile;
    }

    /** Makes the folder if need be, and keeps others from using the file at the same time. */
    static SqliteFile openExclusively(Path given) {
        Path path = given.toAbsolutePath().normalize();
        if (Files.isDirectory(path)) {
            throw new UnusableDatabaseException("%s is a folder: name a file in it".formatted(path));
        }
        if (path.toString().contains("?")) {
            throw new UnusableDatabaseException(
                    "%s has a ? in it, where SQLite expects options: name another file".formatted(path));
        }
        Path lock = path.resolveSibling(path.getFileName() + ".lock");
        try {
            Files.createDirectories(lock.getParent());
            return new SqliteFile(path, acquireLock(path, lock));
        } catch (IOException refused) {
            throw new UnusableDatabaseException(
                    "cannot write in the folder of %s: %s; make it a folder that this user may write in, or name another"
                            .formatted(path, refused),
                    refused);
        }
    }

    private static FileChannel acquireLock(Path path, Path lock) throws IOException {
        FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock held = channel.tryLock();
            if (held != null) {
                return channel;
            }
        } catch (OverlappingFileLockException held) {
            channel.close();
            throw alreadyInUse(path);
        } catch (IOException refused) {
            channel.close();
            throw refused;
        }
        channel.close();
        throw alreadyInUse(path);
    }

    private static UnusableDatabaseException alreadyInUse(Path path) {
        return new UnusableDatabaseException(
                "%s is in use by another server: stop that one first, or give this one a data folder of its own"
                        .formatted(path));
    }

    Path path() {
        return path;
    }

    /** Every commit is on the disk when it returns. */
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

    /** For looking only. */
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
