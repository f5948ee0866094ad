/** Stores endpoints and runs in SQLite or PostgreSQL, with one statement for any number of rows. */
package dev.escapement.endpoints.store.sql;
