/** Routes of notifications. */
package dev.escapement.server.http.notification;
