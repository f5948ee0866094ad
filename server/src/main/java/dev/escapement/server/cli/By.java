package dev.escapement.server.cli;

import java.util.Optional;
import picocli.CommandLine.Option;

/** The option that says who wants it; it is recorded. */
final class By {

    private final Surroundings surroundings;

    @Option(
            names = "--by",
            paramLabel = "WHO",
            description = {"Who wants it; this is recorded. Default: $USER"})
    private Optional<String> who = Optional.empty();

    By(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    String name() {
        return who.filter(name -> !name.isBlank())
                .or(() -> surroundings.variable("USER"))
                .or(() -> surroundings.variable("LOGNAME"))
                .orElse("somebody at the command line");
    }
}
