package dev.escapement.benchmarks.jmh;

/**
 * One call to measure.
 *
 * @param home the JMH benchmark
 * @param method its method
 * @param parameter the name of its one parameter
 * @param value what that is set to
 */
public record JmhTrial(Class<?> home, String method, String parameter, String value) {}
