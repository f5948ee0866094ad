package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.escapement.server.cli.api.Json;
import dev.escapement.server.cli.api.Resource;
import dev.escapement.server.cli.text.Printable;
import dev.escapement.server.cli.view.EndpointText;
import dev.escapement.server.cli.view.EndpointView;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A command that asks something of one endpoint, and says what follows from it. */
abstract class SteeringCommand extends ClientCommand {

    @Parameters(paramLabel = "NAME", description = "The endpoint.")
    String name = "";

    @Mixin
    final By by;

    @Mixin
    final Output output = new Output();

    SteeringCommand(Surroundings surroundings) {
        super(surroundings);
        this.by = new By(surroundings);
    }

    final Resource wish(String what) {
        return Resource.of("endpoints", name, what);
    }

    /** With word of who asks. */
    final ObjectNode body() {
        return Json.object().put("by", by.name());
    }

    /** Says what was done, and when it runs now. */
    final int done(JsonNode document, String what) {
        EndpointView endpoint = new EndpointView(document);
        if (!output.print(document, endpoint.name(), terminal)) {
            String next = EndpointText.next(endpoint, surroundings.clock().instant());
            terminal.line(Printable.line("endpoint %s %s: %s".formatted(endpoint.name(), what, next)));
        }
        return ExitCodes.OK;
    }
}
