/** Reads the file that configures notifications: channels, routes, quiet times, folding and retries. */
package dev.escapement.notifications.config;
