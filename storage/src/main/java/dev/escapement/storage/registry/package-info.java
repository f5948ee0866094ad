/** The servers that share a database: registration, leases and takeovers. */
package dev.escapement.storage.registry;
