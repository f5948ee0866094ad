/**
 * Keeps the audit records that were not delivered yet, without a database: in the Events of the journal, and before
 * these expire in ConfigMaps.
 */
package dev.escapement.kubernetes.audit;
