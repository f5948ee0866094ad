package dev.escapement.server.config;

import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Valid settings with their origins. Created by {@link SettingsReader}.
 *
 * @param values by key
 * @param policy when the settings were read; see {@link ReloadablePolicy} for the current one
 * @param token the bearer token, from {@code token} or {@code token-file}
 * @param databasePassword from {@code database-password} or {@code database-password-file}
 */
public record Settings(
        SettingsSources sources,
        Map<String, Row> values,
        Policy policy,
        SecretValue token,
        SecretValue databasePassword) {

    /** Leaves out the sources: the environment has secrets. */
    @Override
    public String toString() {
        return "Settings[keys=" + values.keySet() + "]";
    }

    /**
     * The value of a setting, as it may be printed.
     *
     * @param value the given text; of a secret only whether it is set
     * @param parsed by the setting's own parser; a text if it is invalid
     */
    public record Row(String key, String value, Setting.Origin origin, Object parsed) {}

    /**
     * A secret, which {@link #toString} does not show.
     *
     * @param value empty if the secret is not set
     */
    public record SecretValue(String value) {
        public boolean isEmpty() {
            return value.isEmpty();
        }

        @Override
        public String toString() {
            return isEmpty() ? "" : "(set, not shown)";
        }
    }

    public Settings {
        values = Map.copyOf(values);
    }

    /** Returns the value of a setting. Secrets that may come from a file have their own methods. */
    @SuppressWarnings("unchecked") // The value was created by the setting's own parser.
    public <T> T get(Setting<T> setting) {
        return (T) requireKnown(setting.key()).parsed();
    }

    public Setting.Origin origin(String key) {
        return requireKnown(key).origin();
    }

    private Row requireKnown(String key) {
        return Objects.requireNonNull(values.get(key), () -> key + " is not a setting");
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

    /** Returns how long a standalone server keeps finished executions; zero to keep them for ever. */
    public Duration standaloneRetention() {
        return get(SettingsTable.RETENTION).orElse(SettingsTable.STANDALONE_RETENTION);
    }

    /** Returns how long an operator keeps finished executions; zero to keep them for ever. */
    public Duration operatorRetention() {
        return get(SettingsTable.RETENTION).orElse(SettingsTable.OPERATOR_RETENTION);
    }

    /** Returns a warning if other users can see the token in the list of processes. */
    public Optional<String> tokenWarning() {
        Setting.Origin origin = origin(SettingsTable.TOKEN.key());
        return origin.source() == Setting.Source.FLAG
                ? Optional.of("Token was given by the %s, which other users can see in the list of processes: use"
                                .formatted(origin)
                        + " token-file or the environment variable " + SettingsTable.TOKEN.variable())
                : Optional.empty();
    }

    public Settings withToken(SecretValue other) {
        return new Settings(sources, values, policy, other, databasePassword);
    }

    /** Whether a request needs a token. */
    public boolean requiresToken() {
        return get(SettingsTable.AUTHENTICATION).equals("token");
    }

    /** Whether a token can be sent in a header and is not too short. */
    public static boolean isValidToken(String token) {
        return token.matches("[\\x21-\\x7e]{16,}");
    }

    /** Whether only this machine can reach the server. */
    public boolean isLoopbackOnly() {
        return isLoopback(get(SettingsTable.HOST));
    }

    /** Whether a host in a setting or a request is a loopback address. Does not resolve names. */
    public static boolean isLoopback(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return name.equals("localhost")
                || name.equals("::1")
                || name.equals("[::1]")
                || name.matches("127(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}");
    }

    /** Returns all settings as they may be printed, in the order of the documentation. */
    public List<Row> rows() {
        return SettingsTable.ALL.stream()
                .map(setting -> requireKnown(setting.key()))
                .toList();
    }

    /** Returns the settings that were given and are not in the list. */
    public List<Row> givenExcept(List<Setting<?>> used) {
        return rows().stream()
                .filter(row -> !row.origin().equals(Setting.Origin.DEFAULT))
                .filter(row -> used.stream().noneMatch(setting -> setting.key().equals(row.key())))
                .toList();
    }

    /** Returns the origins of the policy's values, by key without section. */
    public Map<String, Setting.Origin> policyOrigins() {
        Map<String, Setting.Origin> origins = new LinkedHashMap<>();
        for (String key : PolicyText.format(policy).keySet()) {
            origins.put(key, origin(SettingsTable.POLICY_PREFIX + key));
        }
        return origins;
    }
}
