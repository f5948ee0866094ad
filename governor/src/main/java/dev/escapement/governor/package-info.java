/**
 * Decides whether an execution may run, and when an endpoint runs next. All functions are pure: no clock, no
 * randomness, no I/O, so every decision can be tested exhaustively, simulated and explained.
 */
package dev.escapement.governor;
