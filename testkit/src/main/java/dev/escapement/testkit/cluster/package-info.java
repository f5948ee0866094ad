/** A real Kubernetes control plane with Tekton on this machine. Only the kubelet is simulated: no container runs. */
package dev.escapement.testkit.cluster;
