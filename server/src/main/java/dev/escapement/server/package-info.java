/** Parts that the standalone server and the operator share: start-up errors, timers, closing in order. */
package dev.escapement.server;
