/** Runs the audit trail: copies the journal, creates checkpoints and removes old entries. */
package dev.escapement.server.audit;
