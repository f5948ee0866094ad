/** What happened, as it is told to people and machines: one record per transition, each exactly once. */
package dev.escapement.engine.journal;
