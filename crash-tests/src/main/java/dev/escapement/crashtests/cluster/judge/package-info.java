/**
 * Checks the promises on the history in etcd: every revision of every execution, ledger entry and run. All functions
 * are pure.
 */
package dev.escapement.crashtests.cluster.judge;
