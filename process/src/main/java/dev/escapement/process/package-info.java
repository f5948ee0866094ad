/** Runs workflows as processes of this machine; they outlive the program that started them. */
package dev.escapement.process;
