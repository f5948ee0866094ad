package dev.escapement.server.config;

import java.nio.file.Path;
import java.util.Map;

/**
 * The sources of settings besides the file.
 *
 * @param flags given flags by key, without leading dashes
 * @param environment all variables; those with the prefix {@code ESCAPEMENT_} are settings
 * @param home replaces {@code ~} in defaults
 * @param workingDirectory the folder that relative paths in flags and variables are resolved against
 */
public record SettingsSources(
        Map<String, String> flags, Map<String, String> environment, Path home, Path workingDirectory) {

    public SettingsSources {
        flags = Map.copyOf(flags);
        environment = Map.copyOf(environment);
    }

    /** Returns the flags with the environment of this process. */
    public static SettingsSources ofThisProcess(Map<String, String> flags) {
        return new SettingsSources(
                flags,
                System.getenv(),
                Path.of(System.getProperty("user.home")),
                Path.of("").toAbsolutePath());
    }
}
