package dev.escapement.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.EventFeed.ServerEvent;
import dev.escapement.cli.client.ResourceList;
import dev.escapement.cli.option.ConnectionOptions;
import dev.escapement.cli.option.LimitOption;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Base of the commands that list resources or show one of them, and with {@code --watch} every change. */
public abstract class GetResourcesCommand extends DocumentCommand {

    private final ListOptions listOptions = new ListOptions();

    private static final class ListOptions extends LimitOption {
        @Option(
                names = {"-w", "--watch"},
                description = "Keep running and show every change, until Ctrl-C.")
        private boolean watch;
    }

    @Override
    public final void addSharedOptions(CommandSpec spec) {
        spec.addMixin("list", CommandSpec.forAnnotatedObject(listOptions));
        super.addSharedOptions(spec);
    }

    protected abstract ResourcePrinter<?> createPrinter();

    /** Returns the path of the resource to show; empty if the command lists them. */
    protected abstract Optional<ApiPath> resourcePath();

    protected abstract ApiPath listPath();

    /** Returns the message that replaces an empty table. */
    protected abstract String emptyMessage();

    /** Reads the resource that an event is about; empty if it does not match the filters. */
    protected abstract Optional<JsonNode> fetchChanged(ApiClient api, ServerEvent event);

    @Override
    protected final int execute(ApiClient api) {
        ResourcePrinter<?> printer = createPrinter();
        if (listOptions.watch) {
            // Prints all after each connection, since events may have been missed.
            ConnectionOptions.createEventFeed(api, context)
                    .followForever(
                            () -> printAll(api, printer),
                            event -> printChanged(api, printer, event),
                            () -> printConnectionLost(terminal));
        } else {
            printAll(api, printer);
        }
        return ExitCodes.OK;
    }

    private void printAll(ApiClient api, ResourcePrinter<?> printer) {
        Optional<ApiPath> resource = resourcePath();
        if (resource.isPresent()) {
            printer.printOne(api.get(resource.get()));
            return;
        }
        ResourceList list = ResourceList.fetch(api, listPath(), listOptions.limit());
        printer.printList(list, listOptions.watch ? Optional.empty() : Optional.of(emptyMessage()));
        listOptions.printIfTruncated(list, terminal);
    }

    private void printChanged(ApiClient api, ResourcePrinter<?> printer, ServerEvent event) {
        if (!event.type().equals(ServerEvent.PROGRESS)) {
            fetchChanged(api, event).ifPresent(changed -> printer.printMore(List.of(changed)));
        }
    }
}
