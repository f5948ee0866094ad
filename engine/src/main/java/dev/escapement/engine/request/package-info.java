/** What people ask for: accept, cancel, delete, clear, explain. The rest happens by itself. */
package dev.escapement.engine.request;
