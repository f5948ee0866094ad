/** The HTTP server: access control, request bodies, errors and streams. The routes are in the packages below. */
package dev.escapement.server.http;
