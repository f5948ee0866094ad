/**
 * Kills servers while they call endpoints, and then checks the promises: by the calls that the receiver has recorded,
 * and by the history in the database.
 */
package dev.escapement.crashtests.endpoints;
