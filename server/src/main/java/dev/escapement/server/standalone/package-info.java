/** Carries executions on: a queue of what changed, the threads that look at it, and what happens on timers. */
package dev.escapement.server.standalone;
