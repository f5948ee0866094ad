/** Implements the engine's ports on a database: SQLite for one server, PostgreSQL for several. */
package dev.escapement.storage;
