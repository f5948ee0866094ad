/** Access to the operating system: processes, boot id, locks, programs and the environment of tasks. */
package dev.escapement.process.os;
