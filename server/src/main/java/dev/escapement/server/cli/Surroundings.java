package dev.escapement.server.cli;

import dev.escapement.server.cli.api.Pause;
import dev.escapement.server.cli.text.Terminal;
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
 * @param in what is piped in
 * @param environment its variables
 * @param clock what time it is
 * @param random for names
 * @param pause how time passes while a server is away
 * @param interrupts who says that it is enough
 * @param home the folder of whoever runs it
 * @param workingDirectory what relative paths start from
 */
record Surroundings(
        Terminal terminal,
        InputStream in,
        Map<String, String> environment,
        InstantSource clock,
        RandomGenerator random,
        Pause pause,
        Interrupts interrupts,
        Path home,
        Path workingDirectory) {

    /** Those of this process. */
    static Surroundings ofThisProcess(Terminal terminal) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        // Not every shell says who uses it; what is recorded in their name should not say "somebody".
        environment.putIfAbsent("USER", System.getProperty("user.name"));
        return new Surroundings(
                terminal,
                System.in,
                environment,
                InstantSource.system(),
                RandomGenerator.getDefault(),
                Pause.real(),
                Interrupts.ofThisProcess(),
                Path.of(System.getProperty("user.home")),
                Path.of("").toAbsolutePath());
    }

    /** A variable that is set to something. */
    Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    /** The same process, with another place to write and other variables. */
    Surroundings with(Terminal otherTerminal, Map<String, String> otherEnvironment) {
        return new Surroundings(
                otherTerminal, in, otherEnvironment, clock, random, pause, interrupts, home, workingDirectory);
    }
}
