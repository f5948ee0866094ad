package dev.escapement.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.EventFeed;
import dev.escapement.cli.client.ServerEvent;
import dev.escapement.cli.output.terminal.Terminal;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Prints all resources after each connection, then every resource that an event reports as changed.
 *
 * @param printAll prints the list; called after each connection, since events may have been missed
 * @param fetchChanged reads the resource that an event is about; empty if it does not match the filters
 * @param printOne prints one resource
 */
public record ChangeWatcher(
        Terminal terminal,
        Runnable printAll,
        Function<ServerEvent, Optional<JsonNode>> fetchChanged,
        Consumer<JsonNode> printOne)
        implements EventFeed.Listener {

    @Override
    public boolean onConnected() {
        printAll.run();
        return false;
    }

    @Override
    public boolean onEvent(ServerEvent event) {
        if (!event.type().equals(ServerEvent.PROGRESS)) {
            fetchChanged.apply(event).ifPresent(printOne);
        }
        return false;
    }

    @Override
    public void onConnectionLost() {
        printConnectionLost(terminal);
    }

    public static void printConnectionLost(Terminal terminal) {
        terminal.printError("escapement: connection lost; reconnecting");
    }

    /** Returns the result of a request, empty if the resource does not exist. */
    public static Optional<JsonNode> emptyIfNotFound(Supplier<JsonNode> request) {
        try {
            return Optional.of(request.get());
        } catch (ApiException failure) {
            if (failure.is(ApiException.Kind.NOT_FOUND)) {
                return Optional.empty();
            }
            throw failure;
        }
    }
}
