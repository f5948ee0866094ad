/** May this run now? {@link dev.escapement.governor.gate.Gate#decide} answers, and explains its answer. */
package dev.escapement.governor.gate;
