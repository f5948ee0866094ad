package dev.escapement.storage.sqlite;

import dev.escapement.common.PrivateFiles;
import dev.escapement.common.ProcessLock;
import dev.escapement.storage.problem.StorageException.UnusableDatabaseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** The database file: locks it for this process and configures connections to it. */
record SqliteFile(Path path, ProcessLock lock) implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteFile.class);
    private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_WAL_BYTES = 64 << 20;

    /** Large enough for the indexes of a long history; SQLite's default is 2 MB. */
    private static final int WRITER_CACHE_KIB = 32 << 10;

    /**
     * 32 MB, half of the maximum log size; SQLite's default is 4 MB. Every endpoint keeps writing to its own page of
     * the index of a long history: the log takes these writes sequentially, a checkpoint scatters them over the file.
     */
    private static final int WAL_CHECKPOINT_PAGES = 8 << 10;

    /** More than there are different statements. The driver does not cache them. */
    static final int MAX_CACHED_STATEMENTS = 200;

    /**
     * Creates the folder and the file if they do not exist and locks the file against other servers. Only the owner can
     * read the file: it contains secrets of endpoints and parameters. SQLite gives its log the same permissions.
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
        Path lockFile = path.resolveSibling(path.getFileName() + ".lock");
        try {
            Files.createDirectories(lockFile.getParent());
            ProcessLock lock = ProcessLock.tryAcquire(lockFile)
                    .orElseThrow(() -> new UnusableDatabaseException(path
                            + " is in use by another server: stop that server first, or use another data" + " folder"));
            try {
                createOrRestrict(path);
            } catch (IOException failed) {
                lock.close();
                throw failed;
            }
            return new SqliteFile(path, lock);
        } catch (IOException failed) {
            throw new UnusableDatabaseException(
                    "cannot write to the folder of %s: %s; make it writable for this user, or choose another path"
                            .formatted(path, failed),
                    failed);
        }
    }

    private static void createOrRestrict(Path path) throws IOException {
        if (!PrivateFiles.createOrRestrict(path)) {
            for (String suffix : List.of("-wal", "-shm")) {
                PrivateFiles.restrict(path.resolveSibling(path.getFileName() + suffix));
            }
            if (Files.size(path) == 0) {
                LOG.warn(
                        "SQLite file {} is empty; starting with an empty database: if it had content, restore a backup",
                        path);
            }
        }
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
    public void close() {
        lock.close();
    }

    @Override
    public String toString() {
        return "SQLite file " + path;
    }
}
