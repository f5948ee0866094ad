/** Makes the HTTP calls of endpoints: signs requests, limits time and size, and returns results that can be stored. */
package dev.escapement.endpoints.http;
