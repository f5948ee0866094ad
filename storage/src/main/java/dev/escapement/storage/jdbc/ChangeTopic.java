package dev.escapement.storage.jdbc;

/** Topics of the notifications that servers sharing a database send each other. */
public enum ChangeTopic {
    /** The journal has new records. */
    JOURNAL,
    /** An endpoint was changed and may be due earlier than before. */
    ENDPOINTS
}
