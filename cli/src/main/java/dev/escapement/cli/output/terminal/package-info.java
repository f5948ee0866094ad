/** Terminal capabilities, tables, time formats and sanitised text. */
package dev.escapement.cli.output.terminal;
