/** Which workflows there are: one YAML file each, in a folder, read again whenever they change. */
package dev.escapement.process.catalogue;
