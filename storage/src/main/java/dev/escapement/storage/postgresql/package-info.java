/** Storage in a PostgreSQL database that several servers share. */
package dev.escapement.storage.postgresql;
