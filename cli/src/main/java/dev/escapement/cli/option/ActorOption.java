package dev.escapement.cli.option;

import dev.escapement.cli.CommandContext;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option {@code --by}: the name that an action is recorded with. */
public final class ActorOption {

    @Option(
            names = "--by",
            paramLabel = "NAME",
            description = "Your name; it is recorded with the action. Default: the name of your token, or $USER")
    private Optional<String> actor = Optional.empty();

    /** Returns the field {@code by} of a request, if the option is given. */
    public Map<String, String> requestFields() {
        return actor.filter(name -> !name.isBlank())
                .map(name -> Map.of("by", name))
                .orElse(Map.of());
    }

    /** Returns the user of this process, whom a server records if nobody else is named. */
    static String user(CommandContext context) {
        return context.environmentVariable("USER")
                .or(() -> context.environmentVariable("LOGNAME"))
                .orElse("unknown user of the command line");
    }
}
