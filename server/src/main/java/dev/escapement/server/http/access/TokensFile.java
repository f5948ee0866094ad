package dev.escapement.server.http.access;

import dev.escapement.server.StartException;
import dev.escapement.server.config.FileWatcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tokens file, which can be reloaded. After an invalid change the old tokens stay. Thread-safe. */
public final class TokensFile implements Supplier<TokenTable>, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TokensFile.class);
    private static final int MAX_FILE_BYTES = 1 << 20;

    /** The owner's group may read: mounted secrets belong to root and are readable by the group of the pod. */
    private static final Set<PosixFilePermission> FORBIDDEN = Set.of(
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE,
            PosixFilePermission.OTHERS_EXECUTE);

    private final Path file;
    private final FileWatcher watcher;
    private volatile TokenTable table;
    private String lastProblem = "";

    /**
     * Reads the file and reloads it when it changes.
     *
     * @throws StartException if it cannot be used; the message names the file
     */
    public TokensFile(Path file) {
        this.file = file;
        try {
            this.watcher = new FileWatcher(file, this::reload);
            this.table = read(file);
        } catch (IOException | IllegalArgumentException unusable) {
            throw new StartException(
                    StartException.Reason.DATA_FOLDER, String.valueOf(unusable.getMessage()), unusable);
        }
    }

    @Override
    public TokenTable get() {
        return table;
    }

    /** Returns false if the file cannot be used; its problem is logged once. */
    private synchronized boolean reload() {
        try {
            table = read(file);
            lastProblem = "";
            LOG.info("Tokens changed: file={} tokens={}", file, table.entries().size());
            return true;
        } catch (IllegalArgumentException invalid) {
            String problem = String.valueOf(invalid.getMessage());
            if (!problem.equals(lastProblem)) {
                lastProblem = problem;
                LOG.error("Tokens not changed, the old ones stay: {}", problem);
            }
            return false;
        }
    }

    @Override
    public void close() {
        watcher.close();
    }

    private static TokenTable read(Path file) {
        try {
            if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
                Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
                if (FORBIDDEN.stream().anyMatch(permissions::contains)) {
                    throw new IllegalArgumentException("tokens file %s is accessible to other users (%s): use chmod 600"
                            .formatted(file, PosixFilePermissions.toString(permissions)));
                }
            }
            if (!Files.isRegularFile(file) || Files.size(file) > MAX_FILE_BYTES) {
                throw new IllegalArgumentException(
                        "tokens file %s must be a file of at most %d bytes".formatted(file, MAX_FILE_BYTES));
            }
            return parse(file, Files.readString(file));
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "tokens file %s cannot be read (%s)"
                            .formatted(file, unreadable.getClass().getSimpleName()),
                    unreadable);
        }
    }

    private static TokenTable parse(Path file, String text) {
        try {
            return TokenTable.parse(text);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException("tokens file %s: %s".formatted(file, invalid.getMessage()), invalid);
        }
    }
}
