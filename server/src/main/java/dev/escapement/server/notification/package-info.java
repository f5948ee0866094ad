/** Creates and sends notifications of a standalone server, with its settings and its HTTP client. */
package dev.escapement.server.notification;
