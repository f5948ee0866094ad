/** The ports of the engine. Adapters implement them and pass the contract suites in this module's tests. */
package dev.escapement.engine.port;
