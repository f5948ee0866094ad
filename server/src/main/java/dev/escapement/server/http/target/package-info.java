/** Routes under {@code /api/v1/targets}. */
package dev.escapement.server.http.target;
