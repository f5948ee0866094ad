package dev.escapement.server.config;

import dev.escapement.governor.Policy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Valid settings with their origins. Created by {@link SettingsReader}. */
public final class Settings {

    /**
     * A setting as it may be printed.
     *
     * @param value the given text; of a secret only whether it is set
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

    /** Returns the value of a setting. Secrets that may come from a file have their own methods. */
    @SuppressWarnings("unchecked") // The value was created by the setting's own parser.
    public <T> T get(Setting<T> setting) {
        return (T) requireKnown(setting.key()).value();
    }

    public SettingOrigin origin(String key) {
        return requireKnown(key).origin();
    }

    private Value requireKnown(String key) {
        return Objects.requireNonNull(values.get(key), () -> key + " is not a setting");
    }

    /** Reads the same sources again. */
    Settings reload() {
        return SettingsReader.read(sources);
    }

    /** Returns the policy when the settings were read; see {@link ReloadablePolicy} for the current one. */
    public Policy policy() {
        return policy;
    }

    /** Returns the bearer token, from {@code token} or {@code token-file}. */
    public SecretValue token() {
        return token;
    }

    /** Returns the password, from {@code database-password} or {@code database-password-file}. */
    public SecretValue databasePassword() {
        return databasePassword;
    }

    public Path dataFolder() {
        return get(SettingsTable.DATA);
    }

    /** Returns the settings file, which may not exist. */
    public Path settingsFile() {
        return get(SettingsTable.CONFIG).orElseGet(() -> dataFolder().resolve(SettingsTable.FILE_NAME));
    }

    public Path workflowFolder() {
        return get(SettingsTable.WORKFLOWS).orElseGet(() -> dataFolder().resolve("workflows"));
    }

    /** Whether only this machine can reach the server. */
    public boolean isLoopbackOnly() {
        return LoopbackHosts.contains(get(SettingsTable.HOST));
    }

    /** Returns all settings as they may be printed, in the order of the documentation. */
    public List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Setting<?> setting : SettingsTable.ALL) {
            Value value = requireKnown(setting.key());
            rows.add(new Row(setting.key(), value.displayText(), value.origin()));
        }
        return rows;
    }

    /** Returns the settings that were given and are not in the list. */
    public List<Row> givenExcept(List<Setting<?>> used) {
        return rows().stream()
                .filter(row -> !row.origin().equals(SettingOrigin.DEFAULT))
                .filter(row -> used.stream().noneMatch(setting -> setting.key().equals(row.key())))
                .toList();
    }

    /** Returns the origins of the policy's values, by key without section. */
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
