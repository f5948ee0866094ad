package dev.escapement.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a running server wrote into its data folder.
 *
 * @param address where it is
 * @param tokenFile where its token stands, if it needs one
 */
public record ServerFile(ServerAddress address, Optional<Path> tokenFile) {

    private static final String FILE_NAME = "server.json";

    /** What stands there, if a server runs on the folder or did until it was killed. */
    public static Optional<ServerFile> read(Path data) {
        Path file = data.resolve(FILE_NAME);
        if (!Files.isReadable(file)) {
            return Optional.empty();
        }
        try {
            JsonNode written = new JsonMapper().readTree(file.toFile());
            return Optional.of(new ServerFile(
                    ServerAddress.parse(written.path("url").asText(), file.toString()),
                    Optional.of(written.path("tokenFile").asText())
                            .filter(path -> !path.isEmpty())
                            .map(Path::of)));
        } catch (IOException | IllegalArgumentException unreadable) {
            // By another version, or by hand: the default address is as good a guess.
            return Optional.empty();
        }
    }
}
