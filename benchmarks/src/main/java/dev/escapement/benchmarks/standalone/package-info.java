/** What the standalone server can do: through REST, with a database, with real processes. */
package dev.escapement.benchmarks.standalone;
