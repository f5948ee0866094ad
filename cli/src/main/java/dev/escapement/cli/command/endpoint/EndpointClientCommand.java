package dev.escapement.cli.command.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.CommandContext;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.command.ClientCommand;
import dev.escapement.cli.option.OutputOption;
import dev.escapement.cli.output.EndpointRunDescriber;
import dev.escapement.cli.output.EndpointRunView;
import dev.escapement.cli.output.EndpointView;
import picocli.CommandLine.Command;

/** Base of the commands about endpoints and their runs. */
@Command(sortOptions = false, parameterListHeading = "%n", footerHeading = "%nExamples:%n")
abstract class EndpointClientCommand extends ClientCommand {

    EndpointClientCommand(CommandContext context) {
        super(context);
    }

    /** Prints a changed endpoint with its next run. */
    final int printChanged(JsonNode document, String result, OutputOption output) {
        EndpointView endpoint = EndpointView.of(document);
        if (!output.printIfMachineReadable(document, endpoint.name(), terminal)) {
            String next = endpoint.nextRunSentence(context.clock().instant());
            terminal.printSafeLine("endpoint %s %s: %s".formatted(endpoint.name(), result, next));
        }
        return ExitCodes.OK;
    }

    /** Prints one run with all details. */
    final void printRun(EndpointRunView run, OutputOption output) {
        if (!output.printIfMachineReadable(run.document(), run.id(), terminal)) {
            new EndpointRunDescriber(terminal, context.clock().instant()).print(run);
        }
    }
}
