package dev.escapement.storage.table;

/**
 * As whom this process writes.
 *
 * @param id of the server; empty before it has joined
 * @param incarnation grows with every start of a server with this id: the newest counts
 */
public record ServerIdentity(String id, long incarnation) {

    public static final ServerIdentity UNREGISTERED = new ServerIdentity("", 0);
}
