/**
 * The standalone server: wires the modules for one machine or a shared database, and processes executions from a work
 * queue.
 */
package dev.escapement.server.standalone;
