/**
 * Processes executions from request to outcome. {@link dev.escapement.engine.Engine#advance} is called after every
 * change and is correct from any state; all I/O is behind the ports.
 */
package dev.escapement.engine;
