/** The port to the store of endpoints and their runs. */
package dev.escapement.endpoints.store;
