/**
 * What becomes of executions, from {@code kubectl apply} to the ledger, on a real API server with a real Tekton. Only
 * the machine under them is simulated. The operator has the rights of its service account and no others.
 */
package dev.escapement.kubernetes.scenario;
