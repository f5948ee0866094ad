package dev.escapement.server.config;

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
public record SettingsSources(
        Map<String, String> flags, Map<String, String> environment, Path home, Path workingDirectory) {

    /** Copies the maps. */
    public SettingsSources {
        flags = Map.copyOf(flags);
        environment = Map.copyOf(environment);
    }

    /** The flags, and the rest from this process. */
    public static SettingsSources ofThisProcess(Map<String, String> flags) {
        return new SettingsSources(
                flags,
                System.getenv(),
                Path.of(System.getProperty("user.home")),
                Path.of("").toAbsolutePath());
    }
}
