/**
 * The lock and the memory of a target. {@link dev.escapement.governor.ledger.LedgerEntry} is the value that a store
 * keeps per target; every change is one of its transitions, stored by one compare-and-set.
 */
package dev.escapement.governor.ledger;
