/** Where endpoints and their runs are kept: the port, and the databases behind it. */
package dev.escapement.endpoints.store;
