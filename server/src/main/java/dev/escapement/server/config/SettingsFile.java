package dev.escapement.server.config;

import dev.escapement.common.SafeText;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the values of a settings file. */
final class SettingsFile {

    private static final int MAX_QUOTE_LENGTH = 100;
    private static final Set<String> KEYS =
            SettingsTable.ALL.stream().map(Setting::key).collect(Collectors.toUnmodifiableSet());

    private final Path file;
    private final boolean inDataFolder;
    private final List<String> problems;
    private final Map<String, RawSetting> given = new LinkedHashMap<>();

    /** @param inDataFolder whether it was found in the data folder, which it then cannot set */
    SettingsFile(Path file, boolean inDataFolder, List<String> problems) {
        this.file = file.toAbsolutePath().normalize();
        this.inDataFolder = inDataFolder;
        this.problems = problems;
    }

    Map<String, RawSetting> read(Map<String, Object> document) {
        flatten("", document);
        return given;
    }

    private void flatten(String section, Map<?, ?> document) {
        document.forEach((name, value) -> {
            String key = section + name;
            if (value instanceof Map<?, ?> inner) {
                flatten(key + ".", inner);
            } else if (key.equals(SettingsTable.CONFIG.key())) {
                problems.add(file + ": config cannot be set in the file itself");
            } else if (!KEYS.contains(key)) {
                problems.add(file + ": " + SafeText.sanitize(key, MAX_QUOTE_LENGTH) + " is not a setting");
            } else if (value instanceof List<?>) {
                problems.add(file + ": " + key + " is a list: it must be a single value");
            } else if (key.equals(SettingsTable.DATA.key()) && inDataFolder) {
                problems.add(file + ": data cannot be set in the file that was found in the data folder; name the file"
                        + " with --config");
            } else {
                given.put(key, new RawSetting(value.toString(), SettingOrigin.ofFile(file), file.resolveSibling("")));
            }
        });
    }
}
