package dev.escapement.server.http;

import java.time.InstantSource;

/** What the routes that change executions and targets need to read a request. */
public record RequestSupport(RequestBodies bodies, CallerResolver callers, InstantSource clock) {}
