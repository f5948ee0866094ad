package dev.escapement.notifications.audit.sink;

import java.util.List;

/** Sends records to the sink. */
@FunctionalInterface
public interface SinkClient {

    /**
     * Sends records and waits for the answer. Does not throw if the sink cannot be reached.
     *
     * @param documents the records as JSON, in order
     * @throws InterruptedException if the thread was interrupted; the sink may have stored the records
     */
    SinkResponse send(List<String> documents) throws InterruptedException;
}
