package dev.escapement.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.common.Json;
import java.io.IOException;
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
        try {
            JsonNode content = Json.mapper().readTree(file.toFile());
            ServerAddress address = ServerAddress.parse(content.path("url").asText(), file.toString());
            Optional<String> token = Optional.of(content.path("tokenFile").asText());
            return Optional.of(new ServerFile(
                    address, token.filter(path -> !path.isEmpty()).map(Path::of)));
        } catch (IOException | IllegalArgumentException unreadable) {
            // Missing, or written by another version or by hand: the default address is used.
            return Optional.empty();
        }
    }
}
