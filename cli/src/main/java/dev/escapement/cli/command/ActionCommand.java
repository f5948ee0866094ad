package dev.escapement.cli.command;

import dev.escapement.cli.option.ActorOption;
import picocli.CommandLine.Model.CommandSpec;

/** Base of the commands whose action is recorded with the name of its actor. */
public abstract class ActionCommand extends DocumentCommand {

    private final ActorOption actor = new ActorOption();

    @Override
    public final void addSharedOptions(CommandSpec spec) {
        spec.addMixin("actor", CommandSpec.forAnnotatedObject(actor));
        super.addSharedOptions(spec);
    }

    protected final String actorName() {
        return actor.name(context);
    }
}
