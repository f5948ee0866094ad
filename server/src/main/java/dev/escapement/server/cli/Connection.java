package dev.escapement.server.cli;

import dev.escapement.server.cli.api.ApiClient;
import dev.escapement.server.cli.api.EventFeed;
import dev.escapement.server.cli.api.ServerAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say which server is meant. */
final class Connection {

    static final String DEFAULT_SERVER = "http://127.0.0.1:8484";

    /** Below the home folder. */
    static final String DEFAULT_DATA = ".escapement";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A server makes a sound every fifteen seconds or so. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    private static final int LONGEST_TOKEN = 4_096;

    private final Surroundings surroundings;

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = {
                "The server to ask. Default: ESCAPEMENT_SERVER, or the one that runs on the data folder, or "
                        + DEFAULT_SERVER
            })
    private Optional<String> server = Optional.empty();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = {"The data folder of a server on this machine. Default: ESCAPEMENT_DATA, or ~/.escapement"})
    private Optional<Path> data = Optional.empty();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = {
                "Where the server's token stands. Default: the token itself in ESCAPEMENT_TOKEN, or the file that the server on the data folder names"
            })
    private Optional<Path> tokenFile = Optional.empty();

    Connection(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    ApiClient client() {
        Optional<ServerAddress> named = named();
        Optional<Announced> running = named.isPresent() ? Optional.empty() : Announced.in(folder());
        ServerAddress address = named.or(() -> running.map(Announced::address))
                .orElseGet(() -> ServerAddress.parse(DEFAULT_SERVER, "the default address"));
        return new ApiClient(address, token(running.flatMap(Announced::tokenFile)), PATIENCE);
    }

    /** The events of the same server. */
    EventFeed events(ApiClient client) {
        return new EventFeed(client, surroundings.pause(), SILENCE);
    }

    private Optional<ServerAddress> named() {
        return server.map(text -> ServerAddress.parse(text, "--server"))
                .or(() -> surroundings
                        .variable("ESCAPEMENT_SERVER")
                        .map(text -> ServerAddress.parse(text, "ESCAPEMENT_SERVER")));
    }

    private Path folder() {
        return data.or(() -> surroundings.variable("ESCAPEMENT_DATA").map(Path::of))
                .orElseGet(() -> surroundings.home().resolve(DEFAULT_DATA));
    }

    /** The token, if one is given or the server of the data folder names a file that we may read. */
    private Optional<String> token(Optional<Path> ofTheServer) {
        Optional<String> token = tokenFile
                .map(Connection::read)
                .or(() -> surroundings.variable("ESCAPEMENT_TOKEN"))
                .or(() -> ofTheServer.filter(Files::isReadable).map(Connection::read))
                .map(String::strip);
        if (token.isPresent() && !token.get().matches("[\\x21-\\x7e]+")) {
            throw new IllegalArgumentException(
                    "the token is empty or has characters that no token has: it must be one word of printable ASCII");
        }
        return token;
    }

    private static String read(Path file) {
        try {
            if (Files.size(file) > LONGEST_TOKEN) {
                throw new IllegalArgumentException(
                        "--token-file %s: longer than %d bytes, that is no token".formatted(file, LONGEST_TOKEN));
            }
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("--token-file %s cannot be read: %s".formatted(file, why(unreadable)));
        }
    }

    /** What an exception of the file system means; its message is often just the name. */
    static String why(IOException failure) {
        if (failure instanceof java.nio.file.NoSuchFileException) {
            return "no such file";
        } else if (failure instanceof java.nio.file.AccessDeniedException) {
            return "no permission";
        }
        return Optional.ofNullable(failure.getMessage())
                .orElse(failure.getClass().getSimpleName());
    }
}
