/** The server as others see it: REST, live events, logs of runs, health, metrics and the page. */
package dev.escapement.server.http;
