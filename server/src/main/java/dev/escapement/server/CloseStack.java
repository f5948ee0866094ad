package dev.escapement.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes what was opened, the last first, whatever goes wrong on the way. */
public final class CloseStack implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CloseStack.class);

    private final Deque<AutoCloseable> resources = new ArrayDeque<>();

    public <T extends AutoCloseable> T add(T part) {
        resources.push(part);
        return part;
    }

    public void onClose(AutoCloseable step) {
        resources.push(step);
    }

    @Override
    public void close() {
        while (!resources.isEmpty()) {
            try {
                resources.pop().close();
            } catch (Exception failure) {
                LOG.warn("a part could not be closed: {}", failure.toString(), failure);
            }
        }
    }
}
