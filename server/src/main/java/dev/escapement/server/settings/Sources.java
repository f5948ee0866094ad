package dev.escapement.server.settings;

import java.nio.file.Path;
import java.util.Map;

/**
 * Where settings come from.
 *
 * @param flags by key, without the leading dashes; only those that were given
 * @param environment all of it; what starts with {@code ESCAPEMENT_} is ours
 * @param home stands for {@code ~} in defaults
 * @param workingDirectory what relative paths in flags and in the environment start from
 */
public record Sources(Map<String, String> flags, Map<String, String> environment, Path home, Path workingDirectory) {

    /** Copies the maps. */
    public Sources {
        flags = Map.copyOf(flags);
        environment = Map.copyOf(environment);
    }

    /** The flags, and the rest from this process. */
    public static Sources ofThisProcess(Map<String, String> flags) {
        return new Sources(
                flags,
                System.getenv(),
                Path.of(System.getProperty("user.home")),
                Path.of("").toAbsolutePath());
    }
}
