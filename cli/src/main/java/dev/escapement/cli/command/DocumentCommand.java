package dev.escapement.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.option.OutputOption;
import picocli.CommandLine.Model.CommandSpec;

/** Base of the commands that print documents of a server in the format of {@code -o}. */
public abstract class DocumentCommand extends ClientCommand {

    protected final OutputOption output = new OutputOption();

    @Override
    public void addSharedOptions(CommandSpec spec) {
        spec.addMixin("output", CommandSpec.forAnnotatedObject(output));
    }

    /** Prints the document as JSON, YAML or its name; runs {@code printForPeople} if the format is a table. */
    protected final void print(JsonNode document, String name, Runnable printForPeople) {
        if (!output.printIfMachineReadable(document, name, terminal)) {
            printForPeople.run();
        }
    }

    /** Prints the document as JSON, YAML or its name, or the line if the format is a table. */
    protected final void print(JsonNode document, String name, String line) {
        print(document, name, () -> terminal.printSafeLine(line));
    }
}
