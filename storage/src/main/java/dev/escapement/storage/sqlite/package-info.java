/** Storage in a SQLite file: one server, one writer at a time. */
package dev.escapement.storage.sqlite;
