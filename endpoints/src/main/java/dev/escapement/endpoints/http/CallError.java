package dev.escapement.endpoints.http;

/**
 * What is wrong with a call.
 *
 * @param kind the kind of failure
 * @param message for people
 */
record CallError(CallResult.Failure kind, String message) {}
