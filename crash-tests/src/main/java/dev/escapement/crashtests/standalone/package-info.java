/**
 * Kills servers at random times under load, and then checks the promises: by the acknowledged requests, by the journal,
 * and by the records that the workflows wrote themselves.
 */
package dev.escapement.crashtests.standalone;
