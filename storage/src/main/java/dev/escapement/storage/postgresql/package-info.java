/** PostgreSQL: one database, several servers. */
package dev.escapement.storage.postgresql;
