/** Live news: the journal as a stream, and progress that the journal does not have. */
package dev.escapement.server.events;
