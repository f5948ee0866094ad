/** Creates notifications from the journal and sends those that are due, each on its own threads. */
package dev.escapement.notifications.worker;
