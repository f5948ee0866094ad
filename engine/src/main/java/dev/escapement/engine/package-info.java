/**
 * Carries one execution from request to outcome. {@link dev.escapement.engine.Engine#advance} is called again and
 * again, by whoever hears of a change, and is right from any state; everything it touches is behind the ports.
 */
package dev.escapement.engine;
