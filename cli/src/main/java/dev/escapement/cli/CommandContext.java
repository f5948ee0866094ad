package dev.escapement.cli;

import dev.escapement.cli.client.Sleeper;
import dev.escapement.cli.output.terminal.Terminal;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The process that a command runs in. Tests have their own.
 *
 * @param terminal where to write
 * @param stdin what is piped in
 * @param environment its variables
 * @param clock what time it is
 * @param random for names
 * @param sleeper how time passes while a server is away
 * @param shutdownSignals who says that it is enough
 * @param home the folder of whoever runs it
 * @param workingDirectory what relative paths start from
 */
public record CommandContext(
        Terminal terminal,
        InputStream stdin,
        Map<String, String> environment,
        InstantSource clock,
        RandomGenerator random,
        Sleeper sleeper,
        ShutdownSignals shutdownSignals,
        Path home,
        Path workingDirectory) {

    /** Those of this process. */
    static CommandContext ofThisProcess(Terminal terminal) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        // Not every shell says who uses it; what is recorded in their name should not say "somebody".
        environment.putIfAbsent("USER", System.getProperty("user.name"));
        return new CommandContext(
                terminal,
                System.in,
                environment,
                InstantSource.system(),
                RandomGenerator.getDefault(),
                Sleeper.realTime(),
                ShutdownSignals.ofThisProcess(),
                Path.of(System.getProperty("user.home")),
                Path.of("").toAbsolutePath());
    }

    /** A variable that is set to something. */
    public Optional<String> environmentVariable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    /** The same process, with another place to write and other variables. */
    public CommandContext withTerminalAndEnvironment(Terminal otherTerminal, Map<String, String> otherEnvironment) {
        return new CommandContext(
                otherTerminal,
                stdin,
                otherEnvironment,
                clock,
                random,
                sleeper,
                shutdownSignals,
                home,
                workingDirectory);
    }
}
