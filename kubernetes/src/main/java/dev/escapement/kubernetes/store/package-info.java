/** Stores executions and ledger entries as custom resources; every write is a compare-and-set on one object. */
package dev.escapement.kubernetes.store;
