/** The programs of {@code docs/use-as-library.md}. They need nothing but the jars that the guide names. */
package dev.escapement.governor.example;
