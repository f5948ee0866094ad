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
 * The environment of a command: the process, or a substitute in tests.
 *
 * @param random source of generated names
 * @param shutdownSignals notifies of Ctrl-C and SIGTERM
 * @param home home folder of the user
 * @param workingDirectory base of relative paths
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

    static CommandContext ofThisProcess(Terminal terminal) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        // Not every shell sets USER, but actions are recorded with the user's name.
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

    /** Returns an environment variable that is set and not blank. */
    public Optional<String> environmentVariable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

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
