/** The server as its clients see it: requests, answers, and events as they happen. */
package dev.escapement.cli.client;
