/** The values that make up an execution: specification, metadata and status. */
package dev.escapement.engine.execution;
