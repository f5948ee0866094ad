/** Routes under {@code /api/v1/endpoints} and {@code /api/v1/runs}. */
package dev.escapement.server.http.endpoint;
