/** Sends the records of the audit trail to an HTTP server, in order, until it has confirmed each of them. */
@NullMarked
package dev.escapement.notifications.audit.sink;

import org.jspecify.annotations.NullMarked;
