/** The ports on a database: SQLite for one machine, PostgreSQL for several. */
package dev.escapement.storage;
