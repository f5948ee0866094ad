package dev.escapement.storage.jdbc;

/** What servers tell each other of. */
public enum ChangeTopic {
    /** There are new records in the journal. */
    JOURNAL,
    /** Somebody has changed an endpoint, so that it may be due earlier than before. */
    ENDPOINTS
}
