/** The contract suites of the ports, which the simulated ports and every adapter pass. */
package dev.escapement.engine.contract;
