/**
 * Executions and ledger entries as the resource documents that users see, the same in every mode. A document is a tree
 * of maps, lists, texts, numbers and truth values, so that whoever stores or sends it chooses the syntax.
 */
package dev.escapement.engine.document;
