/**
 * Measures the endpoint scheduler at the receiver of its calls, and compares it with a plain loop and with
 * db-scheduler.
 */
package dev.escapement.benchmarks.endpoints;
