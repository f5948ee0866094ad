/**
 * What every adapter of a port has to do. Each suite is passed by the simulated port, the databases and the rest alike.
 */
package dev.escapement.engine.contract;
