/**
 * Kills servers while they call endpoints, and judges afterwards what they promised: by what those saw who were called,
 * and by what the servers wrote down.
 */
package dev.escapement.crashtests.endpoints;
