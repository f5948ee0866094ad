/**
 * Calls a URL that somebody wrote down: guarded, bounded in every direction, and always with an answer that can be
 * stored.
 */
package dev.escapement.endpoints.http;
