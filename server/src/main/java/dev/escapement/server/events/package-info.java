/** Publishes the journal as a stream of events, together with the progress of runs. */
package dev.escapement.server.events;
