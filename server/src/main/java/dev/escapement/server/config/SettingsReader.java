package dev.escapement.server.config;

import static java.util.Objects.requireNonNull;

import dev.escapement.common.SafeText;
import dev.escapement.governor.Policy;
import dev.escapement.governor.PolicyText;
import dev.escapement.server.config.Settings.Row;
import dev.escapement.server.config.Settings.SecretValue;
import dev.escapement.server.config.SettingsSources.RawSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the settings of all sources and validates them. */
public final class SettingsReader {

    private static final int MAX_QUOTE_LENGTH = 200;

    private final List<String> problems = new ArrayList<>();
    private final Map<String, Row> values = new LinkedHashMap<>();
    private final SettingsSources sources;

    private SettingsReader(SettingsSources sources) {
        this.sources = sources;
    }

    /**
     * Reads and validates all settings.
     *
     * @throws SettingsException with all problems
     */
    public static Settings read(SettingsSources sources) {
        return new SettingsReader(sources).read();
    }

    private Settings read() {
        Map<String, RawSetting> given = sources.collect(problems);
        for (Setting<?> setting : SettingsTable.ALL) {
            values.put(setting.key(), parseValue(setting, Optional.ofNullable(given.get(setting.key()))));
        }
        Policy policy = parsePolicy(given);
        SecretValue token = readSecret(SettingsTable.TOKEN, SettingsTable.TOKEN_FILE);
        SecretValue password = readSecret(SettingsTable.DATABASE_PASSWORD, SettingsTable.DATABASE_PASSWORD_FILE);
        Settings settings = new Settings(sources, values, policy, token, password);
        if (problems.isEmpty()) {
            checkCombinations(settings);
        }
        if (!problems.isEmpty()) {
            throw new SettingsException(problems);
        }
        return settings;
    }

    private Row parseValue(Setting<?> setting, Optional<RawSetting> given) {
        RawSetting text = given.orElseGet(() -> new RawSetting(
                setting.defaultText().replaceFirst("^~", sources.home().toString()),
                Setting.Origin.DEFAULT,
                sources.workingDirectory()));
        Object parsed = "";
        try {
            parsed = setting.parser().parse(text.text(), text.base());
        } catch (IllegalArgumentException invalid) {
            problems.add("%s (%s) is %s: %s"
                    .formatted(setting.key(), text.origin(), quote(setting, text.text()), invalid.getMessage()));
        }
        return new Row(setting.key(), printable(setting, text.text(), parsed), text.origin(), parsed);
    }

    private static String printable(Setting<?> setting, String text, Object parsed) {
        if (setting.secret()) {
            return parsed.toString();
        }
        return isAddress(setting) ? DatabaseUrlText.printable(text) : text;
    }

    /** An address may have a password where none is allowed. */
    private static boolean isAddress(Setting<?> setting) {
        return List.of(SettingsTable.DATABASE.key(), SettingsTable.AUDIT_SINK_URL.key())
                .contains(setting.key());
    }

    private static String quote(Setting<?> setting, String text) {
        boolean address = isAddress(setting);
        // A misplaced password is before the host or after the question mark.
        if (setting.secret() || (address && text.contains("@"))) {
            return "not shown";
        }
        return SafeText.quote(address ? text.split("[?]", 2)[0] : text, MAX_QUOTE_LENGTH);
    }

    private Policy parsePolicy(Map<String, RawSetting> given) {
        Map<String, String> texts = new LinkedHashMap<>();
        Map<String, Setting.Origin> origins = new LinkedHashMap<>();
        for (String key : PolicyText.format(Policy.DEFAULT).keySet()) {
            RawSetting written = given.get(SettingsTable.POLICY_PREFIX + key);
            if (written != null) {
                texts.put(key, written.text());
                origins.put(key, written.origin());
            }
        }
        try {
            return PolicyText.parse(texts);
        } catch (IllegalArgumentException invalid) {
            problems.add("policy (" + origins + "): " + invalid.getMessage());
            return Policy.DEFAULT;
        }
    }

    private SecretValue readSecret(Setting<SecretValue> direct, Setting<Optional<Path>> file) {
        Row fileValue = requireNonNull(values.get(file.key()), "every setting has a value");
        Row directValue = requireNonNull(values.get(direct.key()), "every setting has a value");
        // A value that could not be parsed has another type.
        Optional<Path> path =
                fileValue.parsed() instanceof Optional<?> given ? given.map(Path.class::cast) : Optional.empty();
        SecretValue written = directValue.parsed() instanceof SecretValue secret ? secret : new SecretValue("");
        if (path.isEmpty()) {
            return written;
        }
        if (!written.isEmpty()) {
            problems.add("%s (%s) and %s (%s) are both given: give one"
                    .formatted(direct.key(), directValue.origin(), file.key(), fileValue.origin()));
        }
        try {
            return new SecretValue(Files.readString(path.get()).strip());
        } catch (IOException unreadable) {
            String kind = unreadable.getClass().getSimpleName();
            problems.add("%s (%s) is %s: it cannot be read (%s)"
                    .formatted(file.key(), fileValue.origin(), path.get(), kind));
            return written;
        }
    }

    private void checkCombinations(Settings settings) {
        checkAccess(settings);
        boolean embedded = settings.get(SettingsTable.DATABASE).isEmpty();
        if (embedded && !settings.get(SettingsTable.DATABASE_USER).isEmpty()) {
            problems.add("database-user (%s) is given without database: SQLite has no users"
                    .formatted(settings.origin("database-user")));
        }
        if (embedded && !settings.databasePassword().isEmpty()) {
            problems.add("database-password is given without database: SQLite has no password");
        }
    }

    private void checkAccess(Settings settings) {
        String token = settings.token().value();
        boolean hasToken =
                !token.isEmpty() || settings.get(SettingsTable.TOKENS_FILE).isPresent();
        if (!token.isEmpty() && !Settings.isValidToken(token)) {
            problems.add("token (%s) has %d characters: it must have at least 16, all of them printable ASCII"
                    .formatted(settings.origin("token"), token.length()));
        }
        if (hasToken && !settings.requiresToken()) {
            problems.add("authentication (%s) is none, and a token is given: give one of them"
                    .formatted(settings.origin("authentication")));
        }
        if (!settings.isLoopbackOnly() && !hasToken) {
            String host = SafeText.quote(settings.get(SettingsTable.HOST), MAX_QUOTE_LENGTH);
            problems.add("host (%s) is %s, which other machines can reach, and no token is set"
                            .formatted(settings.origin("host"), host)
                    + ": set token, token-file or tokens-file, or listen on 127.0.0.1");
        }
        boolean header = !settings.get(SettingsTable.PROXY_USER_HEADER).isEmpty();
        if (header == settings.get(SettingsTable.PROXY_ADDRESSES).isEmpty()) {
            problems.add("proxy-user-header and proxy-addresses must be given together: only those addresses may name"
                    + " the person");
        }
        if (header && settings.get(SettingsTable.TOKENS_FILE).isEmpty()) {
            problems.add("proxy-user-header (%s) is given without tokens-file: the proxy needs a token with the right"
                            .formatted(settings.origin("proxy-user-header"))
                    + " proxy, which a shared token does not have");
        }
    }

    /** Invalid settings. The message lists all problems. */
    public static final class SettingsException extends IllegalArgumentException {

        private final transient List<String> problems;

        SettingsException(List<String> problems) {
            super(
                    problems.size() == 1
                            ? problems.get(0)
                            : problems.size() + " settings are invalid:\n  " + String.join("\n  ", problems));
            this.problems = List.copyOf(problems);
        }

        /** Returns the problems; each names setting, origin, value and rule. */
        public List<String> problems() {
            return problems;
        }
    }
}
