package dev.escapement.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.escapement.server.config.SettingsReader.SettingsException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsReaderTest {

    private static final String TOKEN = "a-token-of-some-length";

    private final Path home;

    SettingsReaderTest(@TempDir Path home) {
        this.home = home;
    }

    private Settings read(Map<String, String> flags, Map<String, String> environment) {
        return SettingsReader.read(new SettingsSources(flags, environment, home, home));
    }

    @Test
    void textFormShowsNoSecret() {
        assertThat(read(Map.of(), Map.of("ESCAPEMENT_TOKEN", "open-sesame-open-sesame"))
                        .toString())
                .doesNotContain("open-sesame")
                .contains("token");
    }

    private void write(String text) throws IOException {
        Files.createDirectories(home.resolve(".escapement"));
        Files.writeString(home.resolve(".escapement").resolve("escapement.yaml"), text);
    }

    @Test
    void usesDefaultsWhenNothingIsGiven() {
        Settings settings = read(Map.of(), Map.of());
        assertThat(settings.get(SettingsTable.PORT)).isEqualTo(8484);
        assertThat(settings.get(SettingsTable.HOST)).isEqualTo("127.0.0.1");
        assertThat(settings.dataFolder()).isEqualTo(home.resolve(".escapement"));
        assertThat(settings.workflowFolder()).isEqualTo(home.resolve(".escapement/workflows"));
        assertThat(settings.get(SettingsTable.LEASE)).isEqualTo(Duration.ofSeconds(15));
        assertThat(settings.get(SettingsTable.MAX_REQUEST_SIZE)).isEqualTo(1 << 20);
        assertThat(settings.rows())
                .allSatisfy(row -> assertThat(row.origin()).hasToString("default"))
                .hasSameSizeAs(SettingsTable.ALL);
    }

    @Test
    void laterSourceOverridesAndOriginIsReported() throws IOException {
        write("port: 1111\nworkers: 2\nlog-level: debug\npolicy:\n  cooldown-period: 1m\n");
        Settings settings = read(
                Map.of("port", "3333"),
                Map.of("ESCAPEMENT_PORT", "2222", "ESCAPEMENT_WORKERS", "3", "HOME", "elsewhere"));
        assertThat(settings.get(SettingsTable.PORT)).isEqualTo(3333);
        assertThat(settings.get(SettingsTable.WORKERS)).isEqualTo(3);
        assertThat(settings.get(SettingsTable.LOG_LEVEL)).isEqualTo("debug");
        assertThat(settings.policy().cooldown()).isEqualTo(Duration.ofMinutes(1));
        assertThat(settings.origin("port")).hasToString("flag --port");
        assertThat(settings.origin("workers")).hasToString("environment ESCAPEMENT_WORKERS");
        assertThat(settings.origin("log-level").toString()).startsWith("file ").endsWith("escapement.yaml");
        assertThat(settings.policyOrigins())
                .extractingByKey("cooldown-period")
                .extracting(Setting.Origin::source)
                .isEqualTo(Setting.Source.FILE);
    }

    @Test
    void readsEndpointSettingsFromAllSources() throws IOException {
        write("endpoints:\n  per-host: 5\n  excerpt: 1KiB\n");
        Settings settings = read(Map.of(), Map.of("ESCAPEMENT_ENDPOINTS_ALLOW", "10.0.0.0/8, 127.0.0.1:80"));
        assertThat(settings.get(SettingsTable.ENDPOINT_ALLOW)).hasToString("10.0.0.0/8,127.0.0.1:80");
        assertThat(settings.get(SettingsTable.ENDPOINT_PER_HOST)).isEqualTo(5);
        assertThat(settings.get(SettingsTable.ENDPOINT_EXCERPT)).isEqualTo(1 << 10);
        assertThat(settings.get(SettingsTable.ENDPOINT_KEEP_RUNS_FOR)).isEqualTo(Duration.ofDays(7));
        assertThatThrownBy(() -> read(Map.of("endpoints.allow", "10.0.0.0/99"), Map.of()))
                .asInstanceOf(type(SettingsException.class))
                .extracting(SettingsException::problems)
                .satisfies(problems -> assertThat(problems)
                        .anyMatch(text ->
                                text.startsWith("endpoints.allow (flag --endpoints-allow) is \"10.0.0.0/99\"")));
    }

    @Test
    void listsEveryProblemWithOriginValueAndRule() throws IOException {
        write("port: many\nprot: 1\npolicy:\n  cooldown-period: soon\nworkflows: [a, b]\n");
        assertThatThrownBy(() -> read(Map.of("lease", "1ms"), Map.of("ESCAPEMENT_PROT", "1", "ESCAPEMENT_HOST", "")))
                .asInstanceOf(type(SettingsException.class))
                .extracting(SettingsException::problems)
                .satisfies(problems -> assertThat(problems)
                        .anyMatch(text -> text.contains("environment ESCAPEMENT_PROT is not a setting"))
                        .anyMatch(text -> text.contains("prot is not a setting"))
                        .anyMatch(text -> text.contains("workflows is a list"))
                        .anyMatch(text -> text.startsWith("port (file ")
                                && text.contains("\"many\": it must be a whole number from 0 to 65535"))
                        .anyMatch(text -> text.startsWith("lease (flag --lease) is \"1ms\": it must be from 2s"))
                        .anyMatch(text -> text.startsWith("host (environment ESCAPEMENT_HOST)"))
                        .anyMatch(text -> text.contains("cooldown-period") && text.contains("soon"))
                        .hasSize(7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"17179869185GiB", "9999999999GiB", "8589934593GiB", "0", "2GiB", "-1", "1TiB"})
    void rejectsSizeOutOfRange(String size) {
        assertThatThrownBy(() -> read(Map.of("run-output", size), Map.of()))
                .hasMessageContaining("it must be a size such as 512KiB or 1MiB, from 4096 to 1073741824 bytes");
    }

    @Test
    void requiresTokenForNonLoopbackHost() {
        for (String host : List.of("0.0.0.0", "::", "10.1.2.3", "example.org", "127.0.0.1.example.org", "")) {
            assertThatThrownBy(() -> read(Map.of("host", host.isEmpty() ? "::0" : host), Map.of()))
                    .hasMessageContaining("no token is set");
        }
        assertThat(read(Map.of("host", "0.0.0.0", "token", TOKEN), Map.of()).isLoopbackOnly())
                .isFalse();
        for (String host : List.of("127.0.0.1", "127.1.2.3", "localhost", "::1")) {
            assertThat(read(Map.of("host", host), Map.of()).isLoopbackOnly()).isTrue();
        }
    }

    @Test
    void secretsAreNeverShown() throws IOException {
        Path file = Files.writeString(home.resolve("password"), "s3cret-password\n");
        Settings settings = read(
                Map.of("token", TOKEN, "database", "jdbc:postgresql://db/x", "database-password-file", file.toString()),
                Map.of());
        assertThat(settings.token().value()).isEqualTo(TOKEN);
        assertThat(settings.databasePassword().value()).isEqualTo("s3cret-password");
        assertThat(settings.rows().toString())
                .doesNotContain(TOKEN)
                .doesNotContain("s3cret")
                .contains("(set, not shown)");
        assertThat(settings.databasePassword()).hasToString("(set, not shown)");
        assertThatThrownBy(() -> read(Map.of("token", "short"), Map.of()))
                .hasMessageContaining("at least 16")
                .hasMessageNotContaining("short");
    }

    /** It could not be sent in a header. */
    @ParameterizedTest
    @ValueSource(
            strings = {"ein-schl\u00fcssel-der-lang-genug-ist", "a token with spaces inside", "tab\tinside-of-a-token"})
    void rejectsTokenThatIsNotPrintableAscii(String token) {
        assertThatThrownBy(() -> read(Map.of("token", token), Map.of()))
                .hasMessageContaining("ASCII")
                .hasMessageNotContaining(token);
    }

    @Test
    void retentionIsShorterOnClusterAndCanBeTurnedOff() {
        Settings defaults = read(Map.of(), Map.of());
        assertThat(defaults.standaloneRetention()).isEqualTo(Duration.ofDays(30));
        assertThat(defaults.operatorRetention()).isEqualTo(Duration.ofDays(7));
        Settings given = read(Map.of("retention", "2h"), Map.of());
        assertThat(given.standaloneRetention()).isEqualTo(Duration.ofHours(2));
        assertThat(given.operatorRetention()).isEqualTo(Duration.ofHours(2));
        Settings off = read(Map.of("retention", "0s"), Map.of());
        assertThat(off.standaloneRetention()).isZero();
        assertThat(off.operatorRetention()).isZero();
    }

    @Test
    void warnsOnlyAboutTokenThatListOfProcessesShows() throws IOException {
        assertThat(read(Map.of("token", TOKEN), Map.of()).tokenWarning())
                .hasValueSatisfying(warning -> assertThat(warning)
                        .contains("flag --token", "list of processes", "token-file", "ESCAPEMENT_TOKEN")
                        .doesNotContain(TOKEN));
        Path file = Files.writeString(home.resolve("token"), TOKEN);
        assertThat(read(Map.of("token-file", file.toString()), Map.of()).tokenWarning())
                .isEmpty();
        assertThat(read(Map.of(), Map.of("ESCAPEMENT_TOKEN", TOKEN)).tokenWarning())
                .isEmpty();
        assertThat(read(Map.of(), Map.of()).tokenWarning()).isEmpty();
    }

    @Test
    void rejectsSecretGivenTwiceOrInUnreadableFile() {
        assertThatThrownBy(() -> read(Map.of("token", TOKEN, "token-file", "nowhere"), Map.of()))
                .hasMessageContaining("both given")
                .hasMessageContaining("cannot be read")
                .hasMessageNotContaining(TOKEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db/x?password=hunter22",
                "jdbc:postgresql://db/x?ssl=true&sslPassword=hunter22",
                "jdbc:postgresql://db/x?p%61ssw%6Frd=hunter22",
                "jdbc:postgresql://db/x?ssl=true&passwd=hunter22",
                "jdbc:postgresql://me:hunter22@db/x"
            })
    void rejectsPasswordInDatabaseUrlWithoutShowingIt(String address) {
        assertThatThrownBy(() -> read(Map.of("database", address), Map.of()))
                .hasMessageContaining("database (flag --database) is ")
                .hasMessageContaining("use database-user and database-password")
                .hasMessageNotContaining("hunter22");
    }

    @Test
    void showsOnlyHarmlessOptionsOfDatabaseUrl() {
        String address = "jdbc:postgresql://db/x?sslmode=require&options=-c%20my.key=hunter22&hunter%32&loginTimeout=5";
        Settings settings = read(Map.of("database", address), Map.of());
        assertThat(settings.get(SettingsTable.DATABASE)).isEqualTo(address);
        assertThat(settings.rows())
                .filteredOn(row -> row.key().equals("database"))
                .extracting(Settings.Row::value)
                .containsExactly(
                        "jdbc:postgresql://db/x?sslmode=require&options=(not shown)&(not shown)&loginTimeout=5");
    }

    @Test
    void rejectedDatabaseUrlIsShownWithoutPassword() {
        assertThatThrownBy(() -> read(Map.of("database", "postgres://db/x?password=hunter22"), Map.of()))
                .hasMessageContaining("\"postgres://db/x\": it must start with jdbc:postgresql:")
                .hasMessageNotContaining("hunter22");
        for (String address : List.of("postgres://me:hunter22@db/x", "postgres://me:a?hunter22@db/x")) {
            assertThatThrownBy(() -> read(Map.of("database", address), Map.of()))
                    .hasMessageContaining("is not shown: it must start with jdbc:postgresql:")
                    .hasMessageNotContaining("hunter22");
        }
    }

    @Test
    void rejectsDatabaseUserForFileDatabase() {
        assertThatThrownBy(() -> read(Map.of("database-user", "me"), Map.of())).hasMessageContaining("has no users");
    }

    @Test
    void requiresNamedFileAndResolvesPathsFromItsFolder() throws IOException {
        assertThatThrownBy(() -> read(Map.of("config", "nowhere.yaml"), Map.of()))
                .hasMessageContaining("does not exist");
        Path folder = Files.createDirectories(home.resolve("etc"));
        Files.writeString(folder.resolve("mine.yaml"), "data: state\nworkflows: flows\n");
        Settings settings = read(Map.of("config", "etc/mine.yaml"), Map.of());
        assertThat(settings.dataFolder()).isEqualTo(folder.resolve("state"));
        assertThat(settings.workflowFolder()).isEqualTo(folder.resolve("flows"));
        assertThat(settings.settingsFile()).isEqualTo(folder.resolve("mine.yaml"));
    }

    @Test
    void rejectsDataSettingInDataFolderFile() throws IOException {
        write("data: /elsewhere\n");
        assertThatThrownBy(() -> read(Map.of(), Map.of())).hasMessageContaining("data cannot be set");
    }

    @Test
    void rejectsMalformedFileWithLineAndColumn() throws IOException {
        write("port: 1\nport: 2\n");
        assertThatThrownBy(() -> read(Map.of(), Map.of()))
                .hasMessageContaining("escapement.yaml: line 2")
                .hasMessageContaining("port");
    }

    @Test
    void everySettingHasUniqueVariable() {
        assertThat(SettingsTable.ALL).extracting(Setting::variable).doesNotHaveDuplicates();
        assertThat(SettingsTable.ALL)
                .extracting(Setting::variable)
                .contains("ESCAPEMENT_PORT", "ESCAPEMENT_POLICY_COOLDOWN_PERIOD");
    }

    @Test
    void proxyNeedsTokenOfItsOwn() {
        Map<String, String> flags = Map.of(
                "proxy-user-header",
                "X-Forwarded-User",
                "proxy-addresses",
                "10.0.0.1",
                "token",
                "a-token-that-all-share");
        assertThatThrownBy(() -> read(flags, Map.of()))
                .hasMessageContaining("proxy-user-header (flag --proxy-user-header) is given without tokens-file")
                .hasMessageContaining("right proxy");
    }

    @Test
    void rejectsAddressOfTheAuditSinkThatHasAPassword() {
        for (String url : List.of("https://me:hush@sink", "ftp://sink", "https://sink?key=hush", "https://", "::")) {
            assertThatThrownBy(() -> read(Map.of("audit.sink.url", url), Map.of()))
                    .hasMessageContaining("audit.sink.url")
                    .hasMessageContaining("https://audit.example.org")
                    .hasMessageNotContaining("hush");
        }
        assertThat(read(Map.of("audit.sink.url", "https://sink:8443/hub"), Map.of())
                        .get(SettingsTable.AUDIT_SINK_URL))
                .hasValue(URI.create("https://sink:8443/hub"));
    }
}
