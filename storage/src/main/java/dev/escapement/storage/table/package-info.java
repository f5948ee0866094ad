/** Maps executions, ledger entries and journal records to rows of their tables. */
package dev.escapement.storage.table;
