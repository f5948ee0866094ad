/**
 * Lock and memory of a target in one place. {@link dev.escapement.governor.ledger.LedgerEntry} is the value that a
 * store keeps per target; every change of it is one of its transitions, stored by one compare-and-set.
 */
package dev.escapement.governor.ledger;
