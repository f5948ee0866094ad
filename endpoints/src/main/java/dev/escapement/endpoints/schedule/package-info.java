/** Plans the next runs of endpoints, and changes endpoints on behalf of users. */
package dev.escapement.endpoints.schedule;
