package dev.escapement.storage.sqlite;

import dev.escapement.common.ProcessLock;
import dev.escapement.storage.problem.StorageException.UnusableDatabaseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** The database file: locks it for this process and configures connections to it. */
record SqliteFile(Path path, ProcessLock lock) implements AutoCloseable {

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
        Path lockFile = path.resolveSibling(path.getFileName() + ".lock");
        try {
            Files.createDirectories(lockFile.getParent());
            return new SqliteFile(
                    path,
                    ProcessLock.tryAcquire(lockFile)
                            .orElseThrow(() -> new UnusableDatabaseException(
                                    path + " is in use by another server: stop that server first, or use another data"
                                            + " folder")));
        } catch (IOException failed) {
            throw new UnusableDatabaseException(
                    "cannot write to the folder of %s: %s; make it writable for this user, or choose another path"
                            .formatted(path, failed),
                    failed);
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
