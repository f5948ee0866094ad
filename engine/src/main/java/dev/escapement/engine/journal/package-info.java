/** Derives one transition from each write, for the audit trail, events, metrics and the log. */
package dev.escapement.engine.journal;
