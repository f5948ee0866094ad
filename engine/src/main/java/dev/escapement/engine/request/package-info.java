/** The requests of users: create, cancel, delete, clear, explain. */
package dev.escapement.engine.request;
