/** The operator: wires the modules for a Kubernetes cluster and checks its health. */
package dev.escapement.server.operator;
