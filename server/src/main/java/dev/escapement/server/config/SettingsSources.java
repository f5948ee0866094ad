package dev.escapement.server.config;

import dev.escapement.common.SafeText;
import dev.escapement.server.config.Setting.Source;
import dev.escapement.server.document.DocumentParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The sources of settings. The file is named by a flag or a variable, or is in the data folder.
 *
 * @param flags given flags by key, without leading dashes
 * @param environment all variables; those with the prefix {@code ESCAPEMENT_} are settings
 * @param home replaces {@code ~} in defaults
 * @param workingDirectory the folder that relative paths in flags and variables are resolved against
 */
public record SettingsSources(
        Map<String, String> flags, Map<String, String> environment, Path home, Path workingDirectory) {

    /** Variables that only the launcher script reads. */
    private static final Set<String> LAUNCHER_VARIABLES = Set.of(
            "ESCAPEMENT_JAVA",
            "ESCAPEMENT_JAVA_OPTS",
            "ESCAPEMENT_SERVER",
            "ESCAPEMENT_HOME",
            "ESCAPEMENT_CLUSTER_BIN");

    private static final int MAX_QUOTE_LENGTH = 100;
    private static final Map<String, Setting<?>> BY_KEY =
            SettingsTable.ALL.stream().collect(Collectors.toMap(Setting::key, Function.identity()));
    private static final Map<String, Setting<?>> BY_VARIABLE =
            SettingsTable.ALL.stream().collect(Collectors.toMap(Setting::variable, Function.identity()));

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

    /**
     * The unparsed value of a setting.
     *
     * @param base the folder that relative paths are resolved against
     */
    record RawSetting(String text, Setting.Origin origin, Path base) {}

    /**
     * Returns the given values of all sources by precedence.
     *
     * @param problems receives unknown settings and what is wrong with the file
     */
    Map<String, RawSetting> collect(List<String> problems) {
        return new Collector(problems).collect();
    }

    private final class Collector {

        private final List<String> problems;
        private final Map<String, RawSetting> given = new LinkedHashMap<>();
        private final Map<String, RawSetting> fileValues = new LinkedHashMap<>();

        Collector(List<String> problems) {
            this.problems = problems;
        }

        Map<String, RawSetting> collect() {
            collectEnvironment();
            collectFlags();
            collectFile();
            fileValues.forEach(given::putIfAbsent);
            return given;
        }

        private void collectEnvironment() {
            new TreeMap<>(environment).forEach((name, text) -> {
                Setting<?> setting = BY_VARIABLE.get(name);
                if (setting != null) {
                    addGiven(setting, text, new Setting.Origin(Source.ENVIRONMENT, name));
                } else if (name.startsWith(SettingsTable.VARIABLE_PREFIX) && !LAUNCHER_VARIABLES.contains(name)) {
                    problems.add("environment " + SafeText.sanitize(name, MAX_QUOTE_LENGTH) + " is not a setting");
                }
            });
        }

        private void collectFlags() {
            new TreeMap<>(flags).forEach((key, text) -> {
                Setting<?> setting = BY_KEY.get(key);
                if (setting == null) {
                    problems.add("flag --" + SafeText.sanitize(key, MAX_QUOTE_LENGTH) + " is not a setting");
                } else {
                    addGiven(setting, text, new Setting.Origin(Source.FLAG, setting.flag()));
                }
            });
        }

        private void addGiven(Setting<?> setting, String text, Setting.Origin origin) {
            given.put(setting.key(), new RawSetting(text, origin, workingDirectory));
        }

        /** Reads the file that the flags and the environment name, or the one in the data folder if there is one. */
        private void collectFile() {
            Optional<Path> named = resolvePath(SettingsTable.CONFIG);
            Path file = named.orElseGet(() -> resolvePath(SettingsTable.DATA)
                    .orElseGet(() -> home.resolve(".escapement"))
                    .resolve(SettingsTable.FILE_NAME));
            if (named.isEmpty() && !Files.exists(file)) {
                return;
            }
            try {
                Map<String, Object> document = DocumentParser.read(Files.readString(file), DocumentParser.Format.YAML);
                addFileValues(file.toAbsolutePath().normalize(), named.isEmpty(), "", document);
            } catch (NoSuchFileException absent) {
                problems.add("settings file " + file + " does not exist");
            } catch (IOException unreadable) {
                // If the data folder itself is unusable, opening it reports that.
                if (named.isPresent() || Files.exists(file)) {
                    String kind = unreadable.getClass().getSimpleName();
                    problems.add("settings file " + file + " cannot be read (" + kind + ")");
                }
            } catch (IllegalArgumentException malformed) {
                problems.add("settings file " + file + ": " + malformed.getMessage());
            }
        }

        private Optional<Path> resolvePath(Setting<?> setting) {
            return Optional.ofNullable(given.get(setting.key()))
                    .filter(value -> !value.text().isBlank())
                    .map(value -> value.base().resolve(value.text()));
        }

        /** @param inDataFolder whether the file was found in the data folder, which it then cannot set */
        private void addFileValues(Path file, boolean inDataFolder, String section, Map<?, ?> document) {
            document.forEach((name, value) -> {
                String key = section + name;
                if (value instanceof Map<?, ?> inner) {
                    addFileValues(file, inDataFolder, key + ".", inner);
                } else if (key.equals(SettingsTable.CONFIG.key())) {
                    problems.add(file + ": config cannot be set in the file itself");
                } else if (!BY_KEY.containsKey(key)) {
                    problems.add(file + ": " + SafeText.sanitize(key, MAX_QUOTE_LENGTH) + " is not a setting");
                } else if (value instanceof List<?>) {
                    problems.add(file + ": " + key + " is a list: it must be a single value");
                } else if (key.equals(SettingsTable.DATA.key()) && inDataFolder) {
                    problems.add(file + ": data cannot be set in the file that was found in the data folder; name the"
                            + " file with --config");
                } else {
                    Setting.Origin origin = new Setting.Origin(Source.FILE, file.toString());
                    fileValues.put(key, new RawSetting(value.toString(), origin, file.resolveSibling("")));
                }
            });
        }
    }
}
