/** The client of the API server, with watches that notice a dropped connection. */
package dev.escapement.kubernetes.client;
