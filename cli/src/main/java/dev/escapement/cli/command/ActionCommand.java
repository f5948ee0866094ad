package dev.escapement.cli.command;

import dev.escapement.cli.option.ActorOption;
import picocli.CommandLine.Model.CommandSpec;

/** Base of the commands whose action is recorded with the name of its actor. */
public abstract class ActionCommand extends DocumentCommand {

    @SuppressWarnings("NullAway.Init") // Needs the context, which is set after the construction.
    protected ActorOption actor;

    @Override
    public final void addSharedOptions(CommandSpec spec) {
        actor = new ActorOption(context);
        spec.addMixin("actor", CommandSpec.forAnnotatedObject(actor));
        super.addSharedOptions(spec);
    }
}
