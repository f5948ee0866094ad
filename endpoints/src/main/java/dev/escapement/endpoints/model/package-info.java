/** Scheduled endpoints: definitions, overrides, plans and finished runs, and their JSON documents. */
package dev.escapement.endpoints.model;
