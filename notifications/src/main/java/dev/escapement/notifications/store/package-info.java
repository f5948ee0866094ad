/** Stores notifications in SQLite or PostgreSQL: creates them from the journal, claims those that are due. */
package dev.escapement.notifications.store;
