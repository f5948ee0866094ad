/** How the command line shows things: what the terminal can do, tables, and text that others wrote. */
package dev.escapement.cli.output.terminal;
