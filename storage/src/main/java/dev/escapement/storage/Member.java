package dev.escapement.storage;

/**
 * As whom this process writes.
 *
 * @param id of the server; empty before it has joined
 * @param incarnation grows with every start of a server with this id: the newest counts
 */
record Member(String id, long incarnation) {

    static final Member NOBODY = new Member("", 0);
}
