/** What Prometheus reads, and what the log says: both from the journal. */
package dev.escapement.server.metrics;
