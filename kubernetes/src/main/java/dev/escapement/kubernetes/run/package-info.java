/**
 * Runs workflows as objects in the cluster: created suspended, started once, and watched until they finish. This
 * package has what all executors share, and the service that knows them all; the adapters in {@code tekton} and
 * {@code job} know the objects of one executor.
 */
package dev.escapement.kubernetes.run;
