/** Parses JSON and YAML strictly and reports the position of every error; writes JSON. */
package dev.escapement.server.document;
