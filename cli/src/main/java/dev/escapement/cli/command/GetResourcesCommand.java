package dev.escapement.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.ExitCodes;
import dev.escapement.cli.client.ApiClient;
import dev.escapement.cli.client.ApiPath;
import dev.escapement.cli.client.EventFeed.ServerEvent;
import dev.escapement.cli.option.ConnectionOptions;
import dev.escapement.cli.option.LimitOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/**
 * Base of the commands that list resources or show one of them, and with {@code --watch} every change.
 *
 * @param <V> a view of one resource
 */
@ExitCodes.Documented(ExitCodes.NOT_FOUND)
abstract class GetResourcesCommand<V> extends ResourceCommand<V> {

    private final ListOptions listOptions = new ListOptions();

    private static final class ListOptions extends LimitOption {
        @Option(
                names = {"-w", "--watch"},
                description = "Keep running and show every change, until Ctrl-C.")
        private boolean watch;
    }

    GetResourcesCommand(Function<JsonNode, V> view, Function<V, String> viewName, TableBuilder<V> table) {
        super(view, viewName, table);
    }

    @Override
    public final void addSharedOptions(CommandSpec spec) {
        spec.addMixin("list", CommandSpec.forAnnotatedObject(listOptions));
        super.addSharedOptions(spec);
    }

    /** Returns the path of the resource to show; empty if the command lists them. */
    abstract Optional<ApiPath> resourcePath();

    abstract ApiPath listPath();

    /** Returns the message that replaces an empty table. */
    abstract String emptyMessage();

    /** Reads the resource that an event is about; empty if it does not match the filters. */
    abstract Optional<JsonNode> fetchChanged(ApiClient api, ServerEvent event);

    @Override
    protected final int execute(ApiClient api) {
        if (listOptions.watch) {
            // Prints all after each connection, since events may have been missed.
            ConnectionOptions.createEventFeed(api, context)
                    .followForever(
                            () -> printAll(api, Optional.empty()),
                            event -> printChanged(api, event),
                            this::printConnectionLost);
        } else {
            printAll(api, Optional.of(emptyMessage()));
        }
        return ExitCodes.OK;
    }

    private void printAll(ApiClient api, Optional<String> emptyMessage) {
        printOneOrList(api, resourcePath(), listPath(), listOptions, emptyMessage);
    }

    private void printChanged(ApiClient api, ServerEvent event) {
        if (!event.type().equals(ServerEvent.PROGRESS)) {
            fetchChanged(api, event).ifPresent(changed -> printMore(List.of(changed)));
        }
    }
}
