/** Maintains ledger entries: when an entry can be removed, and its reset when an execution is deleted. */
package dev.escapement.kubernetes.ledger;
