package dev.escapement.endpoints.http;

/**
 * Why a call failed.
 *
 * @param message shown to users
 */
record CallError(CallResult.Failure kind, String message) {}
