/**
 * What the scheduler of endpoints can do, measured by those who are called: beside a plain loop without any scheduling,
 * and beside a peer.
 */
package dev.escapement.benchmarks.endpoints;
