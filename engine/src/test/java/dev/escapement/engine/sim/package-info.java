/**
 * The whole engine in one thread's worth of time: virtual clock, simulated store and runner, crashes and pauses at
 * every port call, old views, doubled and reordered events, runs that fail, hang and vanish, people who delete, cancel
 * and clear.
 */
package dev.escapement.engine.sim;
