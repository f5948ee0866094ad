/**
 * What the operator asks of a cluster, and how much it can carry. Counted and timed in the API server's own audit log,
 * on a real control plane.
 */
package dev.escapement.benchmarks.kubernetes;
