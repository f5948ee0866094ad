package dev.escapement.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.escapement.server.cli.api.ApiFailure;
import dev.escapement.server.cli.api.EventFeed;
import dev.escapement.server.cli.api.ServerEvent;
import dev.escapement.server.cli.text.Terminal;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Shows how things change: all of them once a connection stands, then each that an event is about.
 *
 * @param terminal for word of a lost connection
 * @param all shows all, first and whenever something may have been missed
 * @param changed what an event is about as it is now; empty if it is of no interest
 * @param show shows one
 */
record Watch(
        Terminal terminal, Runnable all, Function<ServerEvent, Optional<JsonNode>> changed, Consumer<JsonNode> show)
        implements EventFeed.Watcher {

    @Override
    public boolean connected() {
        all.run();
        return false;
    }

    @Override
    public boolean event(ServerEvent event) {
        if (!event.type().equals(ServerEvent.PROGRESS)) {
            changed.apply(event).ifPresent(show);
        }
        return false;
    }

    @Override
    public void lost(java.time.Duration wait) {
        terminal.err().println("escapement: the connection is lost and will be made again");
    }

    /** What is there, or nothing if it is gone in the meantime. */
    static Optional<JsonNode> unlessGone(Callable<JsonNode> look) {
        try {
            return Optional.of(look.call());
        } catch (ApiFailure failure) {
            if (failure.is(ApiFailure.Kind.NOT_FOUND)) {
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
