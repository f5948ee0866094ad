/** Exceptions of the storage module, one per reaction of the caller. */
package dev.escapement.storage.problem;
