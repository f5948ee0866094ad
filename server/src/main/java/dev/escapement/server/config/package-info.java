/** What can be set: from defaults, a file, the environment and flags, the later over the earlier. */
package dev.escapement.server.config;
