/**
 * Measures what the documentation claims, beside the libraries that one would otherwise use. Each command of this
 * module prints its targets with PASS or MISS and fails if one is missed.
 */
package dev.escapement.benchmarks;
