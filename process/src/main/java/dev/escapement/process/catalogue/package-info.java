/** The workflows of a folder: one YAML file each, read again when it changes. */
package dev.escapement.process.catalogue;
