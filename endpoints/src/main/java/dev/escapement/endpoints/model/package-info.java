/**
 * Scheduled endpoints: what people say of them, the loop that claims what is due, calls it, records what came of it and
 * plans the next run, and the story of every plan.
 */
package dev.escapement.endpoints.model;
