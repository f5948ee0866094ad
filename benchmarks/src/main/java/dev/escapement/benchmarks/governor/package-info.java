/** Measures the governor: situations, histories and calls. */
package dev.escapement.benchmarks.governor;
