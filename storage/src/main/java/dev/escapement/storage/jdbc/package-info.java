/** What both databases share: counted sessions, retried transactions, schema migrations, and the SQL dialect. */
package dev.escapement.storage.jdbc;
