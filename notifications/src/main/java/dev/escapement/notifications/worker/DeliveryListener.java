package dev.escapement.notifications.worker;

import dev.escapement.notifications.delivery.DeliveryPhase;

/** Receives what the worker and the creator did, for metrics. Must not block or throw. */
public interface DeliveryListener {

    /** An attempt on one channel ended. */
    void onAttempt(String channel, boolean sent);

    /** A notification will be retried. */
    void onRetry();

    /** A notification reached a terminal phase. */
    void onFinished(DeliveryPhase phase);

    /**
     * Transitions of the journal were processed.
     *
     * @param created new notifications, summaries not included
     * @param folded transitions that were counted in a summary
     */
    void onCreated(int created, int folded);
}
