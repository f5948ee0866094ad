/** What can go wrong with a database, told apart by what a caller can do about it. */
package dev.escapement.storage.problem;
