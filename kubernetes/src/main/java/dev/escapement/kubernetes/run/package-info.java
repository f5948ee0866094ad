/**
 * Runs on a cluster: an object that is created suspended, let go once, and watched until it has ended. What is the same
 * for every executor is here; {@code tekton} and {@code job} know their objects.
 */
package dev.escapement.kubernetes.run;
