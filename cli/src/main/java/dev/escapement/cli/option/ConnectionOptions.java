package dev.escapement.cli.option;

import dev.escapement.cli.CommandContext;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.EventFeed;
import dev.escapement.cli.client.ServerAddress;
import dev.escapement.cli.client.ServerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say which server is meant. */
public final class ConnectionOptions {

    static final String DEFAULT_SERVER = "http://127.0.0.1:8484";

    /** Below the home folder. */
    static final String DEFAULT_DATA_FOLDER = ".escapement";

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

    /** A server makes a sound every fifteen seconds or so. */
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);

    private static final int MAX_TOKEN_LENGTH = 4_096;

    private final CommandContext context;

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

    public ConnectionOptions(CommandContext surroundings) {
        this.context = surroundings;
    }

    public ApiClient createClient() {
        Optional<ServerAddress> named = explicitAddress();
        Optional<ServerFile> running = named.isPresent() ? Optional.empty() : ServerFile.read(dataFolder());
        ServerAddress address = named.or(() -> running.map(ServerFile::address))
                .orElseGet(() -> ServerAddress.parse(DEFAULT_SERVER, "the default address"));
        return new ApiClient(address, token(running.flatMap(ServerFile::tokenFile)), REQUEST_TIMEOUT);
    }

    /** The events of the same server. */
    public EventFeed createEventFeed(ApiClient client) {
        return new EventFeed(client, context.sleeper(), IDLE_TIMEOUT);
    }

    private Optional<ServerAddress> explicitAddress() {
        return server.map(text -> ServerAddress.parse(text, "--server"))
                .or(() -> context.environmentVariable("ESCAPEMENT_SERVER")
                        .map(text -> ServerAddress.parse(text, "ESCAPEMENT_SERVER")));
    }

    private Path dataFolder() {
        return data.or(() -> context.environmentVariable("ESCAPEMENT_DATA").map(Path::of))
                .orElseGet(() -> context.home().resolve(DEFAULT_DATA_FOLDER));
    }

    /** The token, if one is given or the server of the data folder names a file that we may read. */
    private Optional<String> token(Optional<Path> ofTheServer) {
        Optional<String> token = tokenFile
                .map(ConnectionOptions::readTokenFile)
                .or(() -> context.environmentVariable("ESCAPEMENT_TOKEN"))
                .or(() -> ofTheServer.filter(Files::isReadable).map(ConnectionOptions::readTokenFile))
                .map(String::strip);
        if (token.isPresent() && !token.get().matches("[\\x21-\\x7e]+")) {
            throw new IllegalArgumentException(
                    "the token is empty or has characters that no token has: it must be one word of printable ASCII");
        }
        return token;
    }

    private static String readTokenFile(Path file) {
        try {
            if (Files.size(file) > MAX_TOKEN_LENGTH) {
                throw new IllegalArgumentException(
                        "--token-file %s: longer than %d bytes, that is no token".formatted(file, MAX_TOKEN_LENGTH));
            }
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "--token-file %s cannot be read: %s".formatted(file, describeFailure(unreadable)));
        }
    }

    /** What an exception of the file system means; its message is often just the name. */
    public static String describeFailure(IOException failure) {
        if (failure instanceof java.nio.file.NoSuchFileException) {
            return "no such file";
        } else if (failure instanceof java.nio.file.AccessDeniedException) {
            return "no permission";
        }
        return Optional.ofNullable(failure.getMessage())
                .orElse(failure.getClass().getSimpleName());
    }
}
