/** Monitors active runs on one thread: progress, deadlines and termination of processes. */
package dev.escapement.process.monitor;
