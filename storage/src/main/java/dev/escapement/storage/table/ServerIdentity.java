package dev.escapement.storage.table;

/**
 * The identity under which this process writes.
 *
 * @param id server id; empty before registration
 * @param incarnation grows with every registration of this id; only the newest may write
 */
public record ServerIdentity(String id, long incarnation) {

    public static final ServerIdentity UNREGISTERED = new ServerIdentity("", 0);
}
