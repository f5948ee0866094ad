package dev.escapement.notifications.delivery;

/** How far a delivery is. The names are the values of {@code status.phase}. */
public enum DeliveryPhase {
    /** No attempt was made yet. */
    Pending(false),
    /** A worker sends it now. */
    Sending(false),
    /** Every channel has received it. */
    Sent(true),
    /** Some channels have received it; the others failed and are not retried. */
    PartiallySent(true),
    /** A channel failed and is retried. */
    Retrying(false),
    /** No channel has received it, and none is retried. */
    Failed(true);

    private final boolean terminal;

    DeliveryPhase(boolean terminal) {
        this.terminal = terminal;
    }

    public boolean isTerminal() {
        return terminal;
    }
}
