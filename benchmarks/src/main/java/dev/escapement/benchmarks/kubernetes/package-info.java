/**
 * Counts the requests of the operator and measures its throughput, by the audit log of the API server of a real control
 * plane.
 */
package dev.escapement.benchmarks.kubernetes;
