/**
 * Scenarios from {@code kubectl apply} to the ledger, on a real API server with a real Tekton; only the node is
 * simulated. The operator has the permissions of its service account and no others.
 */
package dev.escapement.kubernetes.scenario;
