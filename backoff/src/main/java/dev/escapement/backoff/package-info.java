/**
 * Exponential backoff with jitter.
 *
 * <p>{@link dev.escapement.backoff.Backoff} is the entry point; {@link dev.escapement.backoff.Ladder} shows the delays
 * of a policy. All types are immutable and thread-safe.
 */
package dev.escapement.backoff;
