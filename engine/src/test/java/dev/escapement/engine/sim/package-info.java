/**
 * Simulates the whole engine deterministically: virtual clock, simulated store and runner, crashes and pauses at every
 * port call, stale reads, duplicate and reordered events, failing and vanishing runs, users who delete, cancel and
 * clear.
 */
package dev.escapement.engine.sim;
