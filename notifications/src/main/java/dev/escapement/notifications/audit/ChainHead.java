package dev.escapement.notifications.audit;

/**
 * The stored ends of the chain.
 *
 * @param sequence of the newest entry; 0 if there was none yet
 * @param hash of the newest entry
 * @param journalPosition up to which the journal is copied
 * @param anchorSequence of the entry before the oldest one that is kept; 0 if all are
 * @param anchorHash of that entry
 */
public record ChainHead(long sequence, String hash, String journalPosition, long anchorSequence, String anchorHash) {}
