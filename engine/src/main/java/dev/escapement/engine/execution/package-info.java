/** What an execution is: what was asked for, and what became of it. */
package dev.escapement.engine.execution;
