package dev.escapement.server.http.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.server.StartException;
import dev.escapement.server.config.Settings;
import dev.escapement.server.standalone.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only the owner can read the token that the server creates, and nobody else can have written it. */
class GeneratedTokenTest {

    private static final String TOKEN = "a-token-that-was-there-before";

    private final Settings settings;
    private final Path file;

    GeneratedTokenTest(@TempDir Path folder) throws IOException {
        settings = TestServer.settings(folder, Map.of("authentication", "token"));
        Files.createDirectories(settings.dataFolder());
        file = settings.dataFolder().resolve(GeneratedToken.FILE_NAME);
    }

    private void write(String permissions) throws IOException {
        Files.writeString(file, TOKEN + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private String permissions() throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void createsFileThatOnlyItsOwnerCanRead() throws IOException {
        String token = GeneratedToken.addTo(settings).token().value();
        assertThat(Files.readString(file)).isEqualTo(token + "\n");
        assertThat(permissions()).isEqualTo("rw-------");
        assertThat(GeneratedToken.addTo(settings).token().value()).isEqualTo(token);
    }

    /** A group can write where a volume of Kubernetes has a group of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"rw-r--r--", "rw-r-----", "rw-rw----"})
    void restrictsExistingFile(String permissions) throws IOException {
        write(permissions);
        assertThat(GeneratedToken.addTo(settings).token().value()).isEqualTo(TOKEN);
        assertThat(permissions()).isEqualTo("rw-------");
    }

    @Test
    void refusesFileThatAllUsersCanWriteTo() throws IOException {
        write("rw-rw-rw-");
        assertThatThrownBy(() -> GeneratedToken.addTo(settings))
                .isInstanceOf(StartException.class)
                .hasMessageContaining(file + " is writable for all users (permissions rw-rw-rw-)")
                .hasMessageContaining("delete it")
                .hasMessageNotContaining(TOKEN);
        assertThat(permissions()).isEqualTo("rw-rw-rw-");
    }
}
