/** Decides whether an execution may run now ({@link dev.escapement.governor.gate.Gate#decide}), and explains why. */
package dev.escapement.governor.gate;
