/** Reads the journal on a thread, for the consumers that copy, count or announce its records. */
package dev.escapement.notifications.journal;
