/** Implements the ports of the engine on a Kubernetes cluster, and the operator. */
package dev.escapement.kubernetes;
