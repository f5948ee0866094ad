/** A proxy between an operator and its API server that injects faults. */
package dev.escapement.crashtests.cluster.proxy;
