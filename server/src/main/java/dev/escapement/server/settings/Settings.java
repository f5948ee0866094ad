package dev.escapement.server.settings;

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
    public record Row(String key, String value, Origin origin) {}

    record Value(Object value, String shown, Origin origin) {}

    private final Sources sources;
    private final Map<String, Value> values;
    private final Policy policy;
    private final Secret token;
    private final Secret databasePassword;

    Settings(Sources sources, Map<String, Value> values, Policy policy, Secret token, Secret databasePassword) {
        this.sources = sources;
        this.values = Map.copyOf(values);
        this.policy = policy;
        this.token = token;
        this.databasePassword = databasePassword;
    }

    /** The value of a setting. Secrets that may come from a file have their own methods. */
    @SuppressWarnings("unchecked") // The reader puts in what the setting's own parser made.
    public <T> T get(Setting<T> setting) {
        return (T) known(setting.key()).value();
    }

    /** Where a value comes from. */
    public Origin origin(String key) {
        return known(key).origin();
    }

    private Value known(String key) {
        return Objects.requireNonNull(values.get(key), () -> key + " is no setting");
    }

    /** Reads the same sources again; the file may have changed. */
    Settings again() {
        return SettingsReader.read(sources);
    }

    /** The gate's rules when the settings were read; they may change while the server runs. */
    public Policy policy() {
        return policy;
    }

    /** The bearer token, from {@code token} or {@code token-file}. */
    public Secret token() {
        return token;
    }

    /** The password, from {@code database-password} or {@code database-password-file}. */
    public Secret databasePassword() {
        return databasePassword;
    }

    /** The data folder. */
    public Path data() {
        return get(SettingsTable.DATA);
    }

    /** The settings file, whether it exists or not. */
    public Path file() {
        return get(SettingsTable.CONFIG).orElseGet(() -> data().resolve(SettingsTable.FILE_NAME));
    }

    /** The folder of the workflows. */
    public Path workflows() {
        return get(SettingsTable.WORKFLOWS).orElseGet(() -> data().resolve("workflows"));
    }

    /** Whether only this machine can reach the server. */
    public boolean onlyLoopback() {
        return Loopback.is(get(SettingsTable.HOST));
    }

    /** All of them as they may be printed, in the order of the documentation. */
    public List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Setting<?> setting : SettingsTable.ALL) {
            Value value = known(setting.key());
            rows.add(new Row(setting.key(), value.shown(), value.origin()));
        }
        return rows;
    }

    /** What was given although it is none of these. */
    public List<Row> givenBesides(List<Setting<?>> used) {
        return rows().stream()
                .filter(row -> !row.origin().equals(Origin.DEFAULT))
                .filter(row -> used.stream().noneMatch(setting -> setting.key().equals(row.key())))
                .toList();
    }

    /** Where the policy's values come from, by key without its section. */
    public Map<String, Origin> policyOrigins() {
        Map<String, Origin> origins = new LinkedHashMap<>();
        for (Setting<?> setting : SettingsTable.ALL) {
            policyKey(setting).ifPresent(key -> origins.put(key, origin(setting.key())));
        }
        return origins;
    }

    static Optional<String> policyKey(Setting<?> setting) {
        return setting.key().startsWith(SettingsTable.POLICY)
                ? Optional.of(setting.key().substring(SettingsTable.POLICY.length()))
                : Optional.empty();
    }
}
