package dev.escapement.server.document;

/** Hears where things stand while a document is read. */
public interface DocumentPositionListener {

    /** For whoever does not want to know. */
    DocumentPositionListener NONE = new DocumentPositionListener() {
        @Override
        public void enter(Object segment, int line) {
            // Nobody asked.
        }

        @Override
        public void leave() {
            // Nobody asked.
        }
    };

    /**
     * What comes now is below this key, or at this index of a list.
     *
     * @param line in which it stands, from 1
     */
    void enter(Object segment, int line);

    /** The end of what was entered last. */
    void leave();
}
