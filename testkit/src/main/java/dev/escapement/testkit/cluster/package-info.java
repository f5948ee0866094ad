/**
 * A real Kubernetes control plane with Tekton on this machine. Only the kubelet is simulated: nothing runs in its pods.
 */
package dev.escapement.testkit.cluster;
