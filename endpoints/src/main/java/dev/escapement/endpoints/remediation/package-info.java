/** Requests workflow executions for endpoints that keep failing. */
package dev.escapement.endpoints.remediation;
