/** Reads the gate's policy from a ConfigMap. */
package dev.escapement.kubernetes.policy;
