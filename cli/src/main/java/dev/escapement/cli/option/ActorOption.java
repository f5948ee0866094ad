package dev.escapement.cli.option;

import dev.escapement.cli.CommandContext;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option that says who wants it; it is recorded. */
public final class ActorOption {

    private final CommandContext context;

    @Option(
            names = "--by",
            paramLabel = "WHO",
            description = {"Who wants it; this is recorded. Default: $USER"})
    private Optional<String> actor = Optional.empty();

    public ActorOption(CommandContext surroundings) {
        this.context = surroundings;
    }

    public String name() {
        return actor.filter(name -> !name.isBlank())
                .or(() -> context.environmentVariable("USER"))
                .or(() -> context.environmentVariable("LOGNAME"))
                .orElse("somebody at the command line");
    }
}
