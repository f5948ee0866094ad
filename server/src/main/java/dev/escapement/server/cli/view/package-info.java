/** The server's documents as pages for people. */
package dev.escapement.server.cli.view;
