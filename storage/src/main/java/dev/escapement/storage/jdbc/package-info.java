/** What both databases share: sessions that count, transactions that are tried again, and what differs between them. */
package dev.escapement.storage.jdbc;
