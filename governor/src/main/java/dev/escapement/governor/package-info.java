/**
 * May it run, and when next. Everything here is a pure function of its arguments: no clock, no chance, no input or
 * output, so that every decision can be tested exhaustively, simulated and explained.
 */
package dev.escapement.governor;
