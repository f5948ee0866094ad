package dev.escapement.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadablePolicyTest {

    private final Path home;

    ReloadablePolicyTest(@TempDir Path home) {
        this.home = home;
    }

    private void write(String text) throws IOException {
        Files.createDirectories(home.resolve(".escapement"));
        Path next = home.resolve(".escapement/next");
        Files.writeString(next, text);
        Files.move(next, home.resolve(".escapement/escapement.yaml"), StandardCopyOption.REPLACE_EXISTING);
    }

    private ReloadablePolicy policy(Map<String, String> environment) {
        Settings settings = SettingsReader.read(new SettingsSources(Map.of(), environment, home, home));
        return new ReloadablePolicy(settings, InstantSource.fixed(Instant.EPOCH));
    }

    @Test
    void appliesChangeAtOnceAndReportsRejectedOne() throws IOException {
        ReloadablePolicy policy = policy(Map.of());
        write("policy:\n  cooldown-period: 7s\n");
        policy.reload();
        assertThat(policy.get().cooldown()).isEqualTo(Duration.ofSeconds(7));

        write("policy:\n  cooldown-period: never\n");
        policy.reload();
        assertThat(policy.get().cooldown()).isEqualTo(Duration.ofSeconds(7));
        assertThat(policy.document()).extracting("lastRefused").asString().contains("never");

        write("policy:\n  cooldown-period: 8s\n");
        policy.reload();
        assertThat(policy.document()).containsEntry("cooldown-period", "8s").doesNotContainKey("lastRefused");
        assertThat(policy.document()).extracting("origins").asString().contains("cooldown-period=file ");
    }

    @Test
    void environmentOverridesReloadedFile() throws IOException {
        ReloadablePolicy policy = policy(Map.of("ESCAPEMENT_POLICY_COOLDOWN_PERIOD", "3s"));
        write("policy:\n  cooldown-period: 7s\n  max-consecutive-failures: 2\n");
        policy.reload();
        assertThat(policy.get().cooldown()).isEqualTo(Duration.ofSeconds(3));
        assertThat(policy.get().maxConsecutiveFailures()).isEqualTo(2);
    }

    @Test
    void noticesFileReplacedCreatedOrDeleted() throws Exception {
        Files.createDirectories(home.resolve(".escapement"));
        LinkedBlockingQueue<String> changes = new LinkedBlockingQueue<>();
        try (FileWatcher watch =
                new FileWatcher(home.resolve(".escapement/escapement.yaml"), () -> changes.add("changed"))) {
            assertThat(watch).isNotNull();
            write("port: 1\n");
            assertThat(changes.poll(60, TimeUnit.SECONDS)).isEqualTo("changed");
            Files.delete(home.resolve(".escapement/escapement.yaml"));
            assertThat(changes.poll(60, TimeUnit.SECONDS)).isEqualTo("changed");
        }
    }
}
