/** The worker loop: claims due endpoints, calls them, records the results and plans the next runs. */
package dev.escapement.endpoints.worker;
