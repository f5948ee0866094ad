/** Measures the standalone server: through REST, with a database, with real processes. */
package dev.escapement.benchmarks.standalone;
