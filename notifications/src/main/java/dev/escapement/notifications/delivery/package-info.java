/** The delivery of a notification: its state, when it is retried, and the port to the channels. */
package dev.escapement.notifications.delivery;
