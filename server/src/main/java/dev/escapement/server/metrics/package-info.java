/** Metrics for Prometheus. */
package dev.escapement.server.metrics;
