/** Settings and logging: settings come from defaults, a file, the environment and flags, each over those before it. */
package dev.escapement.server.config;
