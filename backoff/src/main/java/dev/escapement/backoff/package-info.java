/**
 * How long to wait before trying again.
 *
 * <p>{@link dev.escapement.backoff.Backoff} is the way in; {@link dev.escapement.backoff.Ladder} explains what a policy
 * will do before it does it. Everything here is immutable and safe to share between threads.
 */
package dev.escapement.backoff;
