/**
 * Maps executions, ledger entries and transitions to and from the records of the {@code api} module. Each field is
 * mapped here and nowhere else: REST, the database and the custom resources read and write the same records.
 */
package dev.escapement.engine.mapping;
