/** Executions and ledger entries as custom resources: every change is a compare-and-set on one object. */
package dev.escapement.kubernetes.store;
