/** The server's documents as pages for people. */
package dev.escapement.cli.output;
