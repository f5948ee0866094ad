/** Reads what people and programs write: JSON and YAML, strictly, with the place of every mistake. */
package dev.escapement.server.document;
