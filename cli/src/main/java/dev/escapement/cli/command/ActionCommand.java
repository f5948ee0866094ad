package dev.escapement.cli.command;

import dev.escapement.cli.option.ActorOption;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/** Base of the commands whose action is recorded with the name of its actor. */
public abstract class ActionCommand extends DocumentCommand {

    private final ActorOption actor = new ActorOption();

    @Override
    public final void addSharedOptions(CommandSpec spec) {
        spec.addMixin("actor", CommandSpec.forAnnotatedObject(actor));
        super.addSharedOptions(spec);
    }

    /** Returns the field {@code by} of a request, if the option is given. */
    protected final Map<String, String> actorFields() {
        return actor.requestFields();
    }
}
