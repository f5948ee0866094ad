/**
 * Breaks an operator, its API server and everything between them while executions run on a real cluster, and judges by
 * the history that etcd has kept.
 */
package dev.escapement.crashtests.cluster;
