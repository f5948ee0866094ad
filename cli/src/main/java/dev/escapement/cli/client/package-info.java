/** Client of the REST API: requests, responses, event and log streams. */
package dev.escapement.cli.client;
