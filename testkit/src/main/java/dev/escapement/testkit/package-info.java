/**
 * Helps to test. Depends on nothing of ours, so that every module's tests can use it; never on a production class path.
 */
package dev.escapement.testkit;
