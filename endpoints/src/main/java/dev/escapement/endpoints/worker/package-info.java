/** The loop that claims what is due, has it called, records what came of it and plans the next run. */
package dev.escapement.endpoints.worker;
