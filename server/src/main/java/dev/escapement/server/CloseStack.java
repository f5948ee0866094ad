package dev.escapement.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes resources in reverse order of opening. A failure is logged and does not stop the others. */
public final class CloseStack implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CloseStack.class);

    private final Deque<AutoCloseable> resources = new ArrayDeque<>();

    /** Closes the resource, or runs the action, before everything that was added earlier. */
    public <T extends AutoCloseable> T add(T resource) {
        resources.push(resource);
        return resource;
    }

    @Override
    public void close() {
        while (!resources.isEmpty()) {
            try {
                resources.pop().close();
            } catch (Exception failure) {
                LOG.warn("Closing a resource failed: {}", failure.toString(), failure);
            }
        }
    }
}
