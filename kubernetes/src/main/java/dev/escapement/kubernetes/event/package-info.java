/**
 * What happened, told as Events of Kubernetes and read back from them. They follow from what is stored, so that a crash
 * loses none and doubles none.
 */
package dev.escapement.kubernetes.event;
