/**
 * What the engine needs of the world. Adapters implement these, and pass the contract suites in this module's tests.
 */
package dev.escapement.engine.port;
