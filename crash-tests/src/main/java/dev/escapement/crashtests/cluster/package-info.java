/**
 * Injects faults into an operator, its API server and the connection between them under load on a real cluster, and
 * checks the promises by the history in etcd.
 */
package dev.escapement.crashtests.cluster;
