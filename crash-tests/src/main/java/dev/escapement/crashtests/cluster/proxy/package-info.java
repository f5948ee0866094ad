/** Stands between an operator and its API server, and does to their conversation what networks and machines do. */
package dev.escapement.crashtests.cluster.proxy;
