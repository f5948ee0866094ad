/** Used by crash tests and benchmarks: processes, load, clients, a recording HTTP server, and the report. */
package dev.escapement.crashtests.kit;
