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

/** The options that select a server. */
public final class ConnectionOptions {

    static final String DEFAULT_SERVER = "http://127.0.0.1:8484";

    /** In the home folder. */
    static final String DEFAULT_DATA_FOLDER = ".escapement";

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

    /** Four times the interval of the server's keep-alive comments. */
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);

    private static final int MAX_TOKEN_LENGTH = 4_096;

    private final CommandContext context;

    @Option(
            names = "--server",
            paramLabel = "URL",
            description =
                    "Address of the server. Default: ESCAPEMENT_SERVER, or the server that uses the data folder, or "
                            + DEFAULT_SERVER)
    private Optional<String> server = Optional.empty();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Data folder of a server on this machine. Default: ESCAPEMENT_DATA, or ~/.escapement")
    private Optional<Path> data = Optional.empty();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "File with the server's token. Default: the token in ESCAPEMENT_TOKEN, or the token file of the server"
                            + " that uses the data folder")
    private Optional<Path> tokenFile = Optional.empty();

    public ConnectionOptions(CommandContext context) {
        this.context = context;
    }

    public ApiClient createClient() {
        Optional<ServerAddress> explicit = explicitAddress();
        Optional<ServerFile> running = explicit.isPresent() ? Optional.empty() : ServerFile.read(dataFolder());
        ServerAddress address = explicit.or(() -> running.map(ServerFile::address))
                .orElseGet(() -> ServerAddress.parse(DEFAULT_SERVER, "the default"));
        return new ApiClient(address, token(running.flatMap(ServerFile::tokenFile)), REQUEST_TIMEOUT);
    }

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

    private Optional<String> token(Optional<Path> fileOfLocalServer) {
        Optional<String> token = tokenFile
                .map(ConnectionOptions::readTokenFile)
                .or(() -> context.environmentVariable("ESCAPEMENT_TOKEN"))
                .or(() -> fileOfLocalServer.filter(Files::isReadable).map(ConnectionOptions::readTokenFile))
                .map(String::strip);
        if (token.isPresent() && !token.get().matches("[\\x21-\\x7e]+")) {
            throw new IllegalArgumentException(
                    "the token is empty or has invalid characters: it must be one word of printable ASCII");
        }
        return token;
    }

    private static String readTokenFile(Path file) {
        try {
            if (Files.size(file) > MAX_TOKEN_LENGTH) {
                throw new IllegalArgumentException(
                        "--token-file %s is longer than %d bytes: it must hold only the token"
                                .formatted(file, MAX_TOKEN_LENGTH));
            }
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "--token-file %s cannot be read: %s".formatted(file, describeFailure(unreadable)));
        }
    }

    /** Describes an error of the file system; the message of the exception is often only the path. */
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
