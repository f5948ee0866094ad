/**
 * Judges a whole history as etcd keeps it: every revision of every execution, ledger entry and run. Pure: what it is
 * told is all that it knows.
 */
package dev.escapement.crashtests.cluster.judge;
