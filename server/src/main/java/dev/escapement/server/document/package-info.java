/** Parses JSON and YAML strictly and reports the position of every error. */
package dev.escapement.server.document;
