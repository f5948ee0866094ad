/** The operator: what wakes the engine on a cluster, and what it needs of the cluster. */
package dev.escapement.kubernetes.controller;
