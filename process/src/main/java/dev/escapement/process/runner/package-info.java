/**
 * Runs workflows as local processes that outlive the server.
 *
 * <p>Cost of a run with one task, besides its processes: three file operations to prepare it (folder, plan, rename),
 * eight more until it has ended (link, log, the files signal, begun, ended and over, rename of the result), one file
 * watch, and one scan of the process table, shared by all runs that end at the same time. Each further task costs two
 * file operations. No fsync and no directory listing.
 *
 * <p>Supervisors must survive when the server is stopped: under systemd set {@code KillMode=process}. In a container
 * runs are killed with the container and become lost, which counts as having run.
 *
 * <p>Limits on macOS: sessions are created with Perl, a process that detaches itself from its parents is not found when
 * its run is stopped, progress is seen every few seconds, and after a restart a supervisor is identified by its pid and
 * start time.
 */
package dev.escapement.process.runner;
