/** SQLite: one file, one writer at a time. */
package dev.escapement.storage.sqlite;
