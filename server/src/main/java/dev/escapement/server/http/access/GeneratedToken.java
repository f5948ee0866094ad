package dev.escapement.server.http.access;

import dev.escapement.common.PrivateFiles;
import dev.escapement.server.StartException;
import dev.escapement.server.config.Settings;
import dev.escapement.server.config.Settings.SecretValue;
import dev.escapement.server.config.SettingsTable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;

/**
 * The token of a server for which none is configured: created at the first start in a file of the data folder that only
 * its owner can read, where the command line finds it.
 */
public final class GeneratedToken {

    /** Name of the file in the data folder that gives the token to the command line. */
    public static final String FILE_NAME = "token";

    private GeneratedToken() {}

    /** Returns the settings with a token, unless tokens are configured or authentication is off. */
    public static Settings addTo(Settings settings) {
        boolean configured = !settings.token().isEmpty()
                || settings.get(SettingsTable.TOKENS_FILE).isPresent();
        return configured || !settings.requiresToken()
                ? settings
                : settings.withToken(readOrCreate(settings.dataFolder()));
    }

    private static SecretValue readOrCreate(Path folder) {
        Path file = folder.resolve(FILE_NAME);
        try {
            Files.createDirectories(folder, PrivateFiles.folderAttributes(folder));
            if (!Files.exists(file)) {
                create(file);
            }
            protect(file);
            String token = Files.readString(file).strip();
            if (!Settings.isValidToken(token)) {
                throw new StartException(
                        StartException.Reason.DATA_FOLDER,
                        "token file %s has no valid token: delete it, and a new one is created".formatted(file));
            }
            return new SecretValue(token);
        } catch (IOException failure) {
            throw new StartException(
                    StartException.Reason.DATA_FOLDER,
                    "token file %s cannot be created or read (%s): give a token with --token-file, or name another"
                                    .formatted(file, failure.getClass().getSimpleName())
                            + " folder with --data",
                    failure);
        }
    }

    /** Another server may create it at the same time: the file appears with its content, and the first one wins. */
    private static void create(Path file) throws IOException {
        Path temporary =
                Files.createTempFile(file.resolveSibling(""), FILE_NAME, ".new", PrivateFiles.fileAttributes(file));
        try {
            Files.writeString(temporary, LoginSessions.createSecret(new SecureRandom()) + "\n");
            Files.createLink(file, temporary);
        } catch (FileAlreadyExistsException created) {
            // Read by the caller.
        } finally {
            Files.delete(temporary);
        }
    }

    /** Refuses a token that another user may have chosen; restricts a file that other users can only read. */
    private static void protect(Path file) throws IOException {
        Set<PosixFilePermission> found = PrivateFiles.permissions(file).orElseGet(Set::of);
        if (found.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new StartException(
                    StartException.Reason.DATA_FOLDER,
                    "token file %s is writable for all users (permissions %s): delete it, and a new one is created"
                            .formatted(file, PosixFilePermissions.toString(found)));
        }
        PrivateFiles.restrict(file);
    }
}
