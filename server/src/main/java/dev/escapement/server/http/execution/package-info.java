/** Routes under {@code /api/v1/executions}. */
package dev.escapement.server.http.execution;
