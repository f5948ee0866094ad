/** Decides which hosts and addresses endpoints may call: parses URLs, resolves host names and checks addresses. */
package dev.escapement.endpoints.guard;
