package dev.escapement.server.config;

import dev.escapement.common.SafeText;
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

/** Collects the given values of all sources by precedence, and reports unknown settings. */
final class SettingsCollector {

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

    private final SettingsSources sources;
    private final List<String> problems;

    SettingsCollector(SettingsSources sources, List<String> problems) {
        this.sources = sources;
        this.problems = problems;
    }

    Map<String, RawSetting> collect() {
        Map<String, RawSetting> outside = new LinkedHashMap<>(collectEnvironment());
        outside.putAll(collectFlags());
        Map<String, RawSetting> all = new LinkedHashMap<>(collectFile(outside));
        all.putAll(outside);
        return all;
    }

    private Map<String, RawSetting> collectFlags() {
        Map<String, RawSetting> given = new LinkedHashMap<>();
        new TreeMap<>(sources.flags()).forEach((key, text) -> {
            Setting<?> setting = BY_KEY.get(key);
            if (setting == null) {
                problems.add("flag --" + SafeText.sanitize(key, MAX_QUOTE_LENGTH) + " is not a setting");
            } else {
                given.put(key, new RawSetting(text, SettingOrigin.ofFlag(setting.flag()), sources.workingDirectory()));
            }
        });
        return given;
    }

    private Map<String, RawSetting> collectEnvironment() {
        Map<String, RawSetting> given = new LinkedHashMap<>();
        new TreeMap<>(sources.environment()).forEach((name, text) -> {
            Setting<?> setting = BY_VARIABLE.get(name);
            if (setting != null) {
                given.put(
                        setting.key(),
                        new RawSetting(text, SettingOrigin.ofVariable(name), sources.workingDirectory()));
            } else if (name.startsWith(SettingsTable.VARIABLE_PREFIX) && !LAUNCHER_VARIABLES.contains(name)) {
                problems.add("environment " + SafeText.sanitize(name, MAX_QUOTE_LENGTH) + " is not a setting");
            }
        });
        return given;
    }

    private Map<String, RawSetting> collectFile(Map<String, RawSetting> outside) {
        Optional<Path> named = resolvePath(outside, SettingsTable.CONFIG);
        Path file = named.orElseGet(() -> resolvePath(outside, SettingsTable.DATA)
                .orElseGet(() -> sources.home().resolve(".escapement"))
                .resolve(SettingsTable.FILE_NAME));
        if (named.isEmpty() && !Files.exists(file)) {
            return Map.of();
        }
        try {
            return new SettingsFile(file, named.isEmpty(), problems)
                    .read(DocumentParser.read(Files.readString(file), DocumentParser.Format.YAML));
        } catch (NoSuchFileException absent) {
            problems.add("settings file " + file + " does not exist");
        } catch (IOException unreadable) {
            // If the data folder itself is unusable, opening it reports that.
            if (named.isPresent() || Files.exists(file)) {
                problems.add("settings file " + file + " cannot be read ("
                        + unreadable.getClass().getSimpleName() + ")");
            }
        } catch (IllegalArgumentException malformed) {
            problems.add("settings file " + file + ": " + malformed.getMessage());
        }
        return Map.of();
    }

    private static Optional<Path> resolvePath(Map<String, RawSetting> outside, Setting<?> setting) {
        return Optional.ofNullable(outside.get(setting.key()))
                .filter(given -> !given.text().isBlank())
                .map(given -> given.base().resolve(given.text()));
    }
}
