package dev.escapement.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.server.settings.EndpointSettings;
import dev.escapement.server.settings.Settings;
import dev.escapement.server.settings.SettingsReader;
import dev.escapement.server.settings.Sources;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchedulingLimitsTest {

    @Test
    void asManyNamesAreLookedUpAsThereAreCalls(@TempDir Path folder) {
        Settings settings =
                SettingsReader.read(new Sources(Map.of("endpoints.concurrency", "37"), Map.of(), folder, folder));
        assertThat(settings.get(EndpointSettings.CONCURRENCY)).isEqualTo(37);
        assertThat(Scheduling.limits(settings).maxDnsLookups()).isEqualTo(37);
    }
}
