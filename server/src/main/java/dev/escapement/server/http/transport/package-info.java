/**
 * How requests reach the routes without letting a slow client occupy a thread: connections, bodies, responses, assets.
 */
package dev.escapement.server.http.transport;
