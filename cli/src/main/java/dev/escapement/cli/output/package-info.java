/** Tables, descriptions and suggestions for people, and JSON and YAML for programs. */
package dev.escapement.cli.output;
