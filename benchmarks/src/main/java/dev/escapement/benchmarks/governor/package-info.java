/** What is measured of the governor: the situations, the histories and the calls. */
package dev.escapement.benchmarks.governor;
