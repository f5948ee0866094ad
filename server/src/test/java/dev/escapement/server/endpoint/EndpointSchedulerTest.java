package dev.escapement.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.config.Settings;
import dev.escapement.server.config.SettingsReader;
import dev.escapement.server.config.SettingsSources;
import dev.escapement.server.config.SettingsTable;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndpointSchedulerTest {

    @Test
    void dnsLookupLimitEqualsCallConcurrency(@TempDir Path folder) {
        Settings settings = SettingsReader.read(
                new SettingsSources(Map.of("endpoints.concurrency", "37"), Map.of(), folder, folder));
        assertThat(settings.get(SettingsTable.ENDPOINT_CONCURRENCY)).isEqualTo(37);
        assertThat(EndpointScheduler.dispatchLimits(settings).maxDnsLookups()).isEqualTo(37);
    }
}
