/** Decides which channels receive a notification, and when quiet times delay it. Pure. */
package dev.escapement.notifications.routing;
