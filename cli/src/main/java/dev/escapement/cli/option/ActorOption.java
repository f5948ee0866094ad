package dev.escapement.cli.option;

import dev.escapement.cli.CommandContext;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option {@code --by}: the name that an action is recorded with. */
public final class ActorOption {

    @Option(
            names = "--by",
            paramLabel = "NAME",
            description = "Your name; it is recorded with the action. Default: $USER")
    private Optional<String> actor = Optional.empty();

    public String name(CommandContext context) {
        return actor.filter(name -> !name.isBlank())
                .or(() -> context.environmentVariable("USER"))
                .or(() -> context.environmentVariable("LOGNAME"))
                .orElse("unknown user of the command line");
    }
}
