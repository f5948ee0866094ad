package dev.escapement.process.run;

import dev.escapement.common.Digests;
import dev.escapement.engine.execution.RunRef;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The run folders of a server. A folder is created under its name by an atomic rename, and renamed again before it is
 * deleted.
 *
 * @param random for names of temporary files and uids of runs
 */
public record RunFolderStore(Path path, RandomGenerator random) {

    private static final String NEW_PREFIX = ".new-";
    private static final String REMOVED_PREFIX = ".gone-";

    /**
     * The location of a run: a server and a folder name derived from the execution's uid, so that no index is needed.
     *
     * @param serverId id of the server
     * @param key name of the folder
     */
    public record RunName(String serverId, String key) {

        /** Other uids are hashed; their keys start with "x", which no plain uid contains. */
        private static final Pattern PLAIN_UID_PATTERN = Pattern.compile("[0-9a-f-]{8,64}");

        private static final Pattern KEY_PATTERN = Pattern.compile("x?[0-9a-f-]{8,64}");

        public static RunName of(String serverId, String executionUid) {
            boolean plain = PLAIN_UID_PATTERN.matcher(executionUid).matches();
            return new RunName(serverId, plain ? executionUid : "x" + Digests.sha256Hex(executionUid, 20));
        }

        /** Parses a run's name. The key is always a safe folder name; for a foreign name it matches no folder. */
        public static RunName of(RunRef run) {
            int slash = run.name().indexOf('/');
            String key = run.name().substring(slash + 1);
            return new RunName(slash < 0 ? "" : run.name().substring(0, slash), isKey(key) ? key : "none");
        }

        static boolean isKey(String name) {
            return KEY_PATTERN.matcher(name).matches();
        }

        @Override
        public String toString() {
            return serverId + "/" + key;
        }
    }

    /** Creates the folder, readable only for this user, because parameters can be secrets. */
    public void initialize() throws IOException {
        Files.createDirectories(path);
        if (Files.getFileStore(path).supportsFileAttributeView("posix")) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        }
    }

    /** Returns 24 random hexadecimal digits. */
    public static String randomSuffix(RandomGenerator random) {
        byte[] bytes = new byte[12];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    public RunFolder folder(String key) {
        return new RunFolder(path.resolve(key), random);
    }

    /** Creates the folder of a run. Returns false if it exists already. */
    public boolean add(String key, byte[] plan) throws IOException {
        Path created = Files.createDirectory(path.resolve(NEW_PREFIX + randomSuffix(random)));
        try {
            Files.write(created.resolve(RunFolder.PLAN_FILE), plan);
            // Fails if the target exists: a rename never replaces a folder that is not empty.
            Files.move(created, path.resolve(key), StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (IOException failed) {
            deleteFolder(created);
            if (!Files.exists(path.resolve(key), LinkOption.NOFOLLOW_LINKS)) {
                throw failed;
            }
            return false;
        }
    }

    /** Removes a run that has ended or was claimed for removal. */
    public void remove(String key) throws IOException {
        Path removed = path.resolve(REMOVED_PREFIX + randomSuffix(random));
        try {
            Files.move(path.resolve(key), removed, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException alreadyRemoved) {
            return;
        }
        deleteFolder(removed);
    }

    public List<String> keys() throws IOException {
        try (Stream<Path> folders = Files.list(path)) {
            return folders.map(folder -> folder.getFileName().toString())
                    .filter(RunName::isKey)
                    .toList();
        }
    }

    /** Deletes folders that a crash left half created or half removed. */
    public void removeLeftovers() throws IOException {
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(path, ".{new,gone}-*")) {
            for (Path leftover : leftovers) {
                deleteFolder(leftover);
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
        // Last: a supervisor that starts late must not find a plan without the link.
        Files.deleteIfExists(folder.resolve(RunFolder.BEGUN_FILE));
        Files.deleteIfExists(folder);
    }
}
