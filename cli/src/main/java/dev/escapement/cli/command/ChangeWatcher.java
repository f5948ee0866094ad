package dev.escapement.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.cli.client.ApiException;
import dev.escapement.cli.client.EventFeed;
import dev.escapement.cli.client.ServerEvent;
import dev.escapement.cli.output.terminal.Terminal;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Shows how things change: all of them once a connection stands, then each that an event is about.
 *
 * @param terminal for word of a lost connection
 * @param printAll shows all, first and whenever something may have been missed
 * @param fetchChanged what an event is about as it is now; empty if it is of no interest
 * @param printOne shows one
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
    public void onConnectionLost(java.time.Duration wait) {
        terminal.err().println("escapement: the connection is lost and will be made again");
    }

    /** What is there, or nothing if it is gone in the meantime. */
    public static Optional<JsonNode> emptyIfNotFound(Callable<JsonNode> look) {
        try {
            return Optional.of(look.call());
        } catch (ApiException failure) {
            if (failure.is(ApiException.Kind.NOT_FOUND)) {
                return Optional.empty();
            }
            throw failure;
        } catch (RuntimeException bug) {
            throw bug;
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
