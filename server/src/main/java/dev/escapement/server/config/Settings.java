package dev.escapement.server.config;

import dev.escapement.governor.Policy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Settings that can be used, each with its origin. Made by {@link SettingsReader}. */
public final class Settings {

    /**
     * One line of what is printed.
     *
     * @param key the setting
     * @param value as it was written; of a secret only whether it is set
     * @param origin where it comes from
     */
    public record Row(String key, String value, SettingOrigin origin) {}

    record Value(Object value, String displayText, SettingOrigin origin) {}

    private final SettingsSources sources;
    private final Map<String, Value> values;
    private final Policy policy;
    private final SecretValue token;
    private final SecretValue databasePassword;

    Settings(
            SettingsSources sources,
            Map<String, Value> values,
            Policy policy,
            SecretValue token,
            SecretValue databasePassword) {
        this.sources = sources;
        this.values = Map.copyOf(values);
        this.policy = policy;
        this.token = token;
        this.databasePassword = databasePassword;
    }

    /** The value of a setting. Secrets that may come from a file have their own methods. */
    @SuppressWarnings("unchecked") // The reader puts in what the setting's own parser made.
    public <T> T get(Setting<T> setting) {
        return (T) requireKnown(setting.key()).value();
    }

    /** Where a value comes from. */
    public SettingOrigin origin(String key) {
        return requireKnown(key).origin();
    }

    private Value requireKnown(String key) {
        return Objects.requireNonNull(values.get(key), () -> key + " is no setting");
    }

    /** Reads the same sources again; the file may have changed. */
    Settings reload() {
        return SettingsReader.read(sources);
    }

    /** The gate's rules when the settings were read; they may change while the server runs. */
    public Policy policy() {
        return policy;
    }

    /** The bearer token, from {@code token} or {@code token-file}. */
    public SecretValue token() {
        return token;
    }

    /** The password, from {@code database-password} or {@code database-password-file}. */
    public SecretValue databasePassword() {
        return databasePassword;
    }

    /** The data folder. */
    public Path dataFolder() {
        return get(SettingsTable.DATA);
    }

    /** The settings file, whether it exists or not. */
    public Path settingsFile() {
        return get(SettingsTable.CONFIG).orElseGet(() -> dataFolder().resolve(SettingsTable.FILE_NAME));
    }

    /** The folder of the workflows. */
    public Path workflowFolder() {
        return get(SettingsTable.WORKFLOWS).orElseGet(() -> dataFolder().resolve("workflows"));
    }

    /** Whether only this machine can reach the server. */
    public boolean isLoopbackOnly() {
        return LoopbackHosts.contains(get(SettingsTable.HOST));
    }

    /** All of them as they may be printed, in the order of the documentation. */
    public List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Setting<?> setting : SettingsTable.ALL) {
            Value value = requireKnown(setting.key());
            rows.add(new Row(setting.key(), value.displayText(), value.origin()));
        }
        return rows;
    }

    /** What was given although it is none of these. */
    public List<Row> givenExcept(List<Setting<?>> used) {
        return rows().stream()
                .filter(row -> !row.origin().equals(SettingOrigin.DEFAULT))
                .filter(row -> used.stream().noneMatch(setting -> setting.key().equals(row.key())))
                .toList();
    }

    /** Where the policy's values come from, by key without its section. */
    public Map<String, SettingOrigin> policyOrigins() {
        Map<String, SettingOrigin> origins = new LinkedHashMap<>();
        for (Setting<?> setting : SettingsTable.ALL) {
            policyKey(setting).ifPresent(key -> origins.put(key, origin(setting.key())));
        }
        return origins;
    }

    static Optional<String> policyKey(Setting<?> setting) {
        return setting.key().startsWith(SettingsTable.POLICY_PREFIX)
                ? Optional.of(setting.key().substring(SettingsTable.POLICY_PREFIX.length()))
                : Optional.empty();
    }
}
