/**
 * Publishes transitions as Kubernetes Events and reads the journal from them. Events can be rebuilt from the stored
 * state, and their names are unique per transition, so a crash neither loses nor duplicates one.
 */
package dev.escapement.kubernetes.event;
