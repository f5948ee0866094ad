/**
 * Runs workflows as objects in the cluster: created suspended, started once, and watched until they finish. This
 * package has what all executors share; {@code tekton} and {@code job} know their objects.
 */
package dev.escapement.kubernetes.run;
