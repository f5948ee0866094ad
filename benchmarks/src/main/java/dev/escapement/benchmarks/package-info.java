/**
 * Measures the figures of the documentation, and compares them with other libraries. Each command of this module prints
 * its targets with PASS or MISS and fails if one is missed.
 */
package dev.escapement.benchmarks;
