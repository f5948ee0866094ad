/** Runs workflows as Jobs, for clusters without Tekton. */
package dev.escapement.kubernetes.run.job;
