package dev.escapement.server.document;

/** Receives the positions of values while a document is parsed. */
public interface DocumentPositionListener {

    DocumentPositionListener NONE = new DocumentPositionListener() {};

    /**
     * Begins the value of a key, or of an index of a list.
     *
     * @param line from 1
     */
    default void enter(Object segment, int line) {}

    /** Ends the value that was entered last. */
    default void leave() {}
}
