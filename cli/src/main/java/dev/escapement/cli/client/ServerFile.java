package dev.escapement.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Address file that a running server writes into its data folder.
 *
 * @param tokenFile file with the server's token, if it requires one
 */
public record ServerFile(ServerAddress address, Optional<Path> tokenFile) {

    private static final String FILE_NAME = "server.json";

    /** Returns the file's content; it may be left over from a server that was killed. */
    public static Optional<ServerFile> read(Path data) {
        Path file = data.resolve(FILE_NAME);
        if (!Files.isReadable(file)) {
            return Optional.empty();
        }
        try {
            JsonNode content = new JsonMapper().readTree(file.toFile());
            return Optional.of(new ServerFile(
                    ServerAddress.parse(content.path("url").asText(), file.toString()),
                    Optional.of(content.path("tokenFile").asText())
                            .filter(path -> !path.isEmpty())
                            .map(Path::of)));
        } catch (IOException | IllegalArgumentException unreadable) {
            // Written by another version or by hand: the default address is used.
            return Optional.empty();
        }
    }
}
