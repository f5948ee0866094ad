/** Routes of the server itself: dashboard, events, workflows, policy, health and metrics. */
package dev.escapement.server.http.system;
