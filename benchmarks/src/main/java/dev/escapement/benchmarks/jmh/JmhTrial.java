package dev.escapement.benchmarks.jmh;

/**
 * One JMH measurement.
 *
 * @param home the class of the benchmark
 * @param method its method
 * @param parameter the name of its one parameter
 * @param value of the parameter
 */
public record JmhTrial(Class<?> home, String method, String parameter, String value) {}
