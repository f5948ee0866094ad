package dev.escapement.cli.option;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.EventFeed;
import dev.escapement.cli.client.ServerAddress;
import dev.escapement.common.Json;
import dev.escapement.server.standalone.StandaloneServer;
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

    public ApiClient createClient(CommandContext context) {
        Optional<ServerAddress> explicit = explicitAddress(context);
        Optional<ServerFile> running = explicit.isPresent() ? Optional.empty() : ServerFile.read(dataFolder(context));
        ServerAddress address = explicit.or(() -> running.map(ServerFile::address))
                .orElseGet(() -> ServerAddress.parse(DEFAULT_SERVER, "the default"));
        // Only the server of the data folder gets its token: not an address that the user names, and not another
        // program that listens where a stopped server did, or on the default port.
        Optional<Path> localToken = running.filter(file -> StandaloneServer.isRunning(dataFolder(context)))
                .flatMap(ServerFile::tokenFile);
        return new ApiClient(
                address, token(context, localToken), Optional.of(ActorOption.user(context)), REQUEST_TIMEOUT);
    }

    /** Returns whether the user names a server, or one runs on this machine. */
    public boolean namesServer(CommandContext context) {
        return explicitAddress(context).isPresent()
                || data.isPresent()
                || tokenFile.isPresent()
                || context.environmentVariable("ESCAPEMENT_TOKEN").isPresent()
                || ServerFile.read(dataFolder(context)).isPresent();
    }

    public static EventFeed createEventFeed(ApiClient client, CommandContext context) {
        return new EventFeed(client, context.sleeper(), IDLE_TIMEOUT);
    }

    private Optional<ServerAddress> explicitAddress(CommandContext context) {
        return server.map(text -> ServerAddress.parse(text, "--server"))
                .or(() -> context.environmentVariable("ESCAPEMENT_SERVER")
                        .map(text -> ServerAddress.parse(text, "ESCAPEMENT_SERVER")));
    }

    private Path dataFolder(CommandContext context) {
        return data.or(() -> context.environmentVariable("ESCAPEMENT_DATA").map(Path::of))
                .orElseGet(() -> context.home().resolve(DEFAULT_DATA_FOLDER));
    }

    private Optional<String> token(CommandContext context, Optional<Path> fileOfLocalServer) {
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

    /**
     * Address file that a running server writes into its data folder.
     *
     * @param tokenFile file with the server's token, if it requires one
     */
    private record ServerFile(ServerAddress address, Optional<Path> tokenFile) {

        /** Returns the file's content; it may be left over from a server that was killed. */
        static Optional<ServerFile> read(Path data) {
            Path file = data.resolve("server.json");
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
