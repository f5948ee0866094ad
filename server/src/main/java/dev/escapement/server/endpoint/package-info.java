/** Scheduled endpoints in both modes: starts their worker, logs and counts runs, requests remediations. */
package dev.escapement.server.endpoint;
