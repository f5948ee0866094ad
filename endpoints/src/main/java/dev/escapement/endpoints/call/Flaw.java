package dev.escapement.endpoints.call;

/**
 * What is wrong with a call.
 *
 * @param kind the kind of failure
 * @param words for people
 */
record Flaw(Answer.Failure kind, String words) {}
