/**
 * Endpoints and runs in a database: the same statements for SQLite and PostgreSQL, each for as many rows as there are.
 */
package dev.escapement.endpoints.store.sql;
