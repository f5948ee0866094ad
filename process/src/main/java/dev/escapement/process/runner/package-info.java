/**
 * Runs workflows as processes of this machine; they outlive the program that started them.
 *
 * <p>A run of one task costs, besides its processes: three file operations to prepare it (a folder, its plan, a
 * rename), and eight more until it has ended (the link, the log, a file for each of: signals, begun, ended, over, and
 * the rename of the result), two for each further task, one watch, and one look at the process table that all runs
 * share which end at the same time. Nothing is forced to the disk, and no folder is searched.
 *
 * <p>Supervisors must be left alone when the server is stopped: under systemd set {@code KillMode=process}; in a
 * container runs end with the container, and are lost, which counts as having run.
 *
 * <p>Made for Linux. On macOS it does the same with less: sessions come from Perl, a process that detaches itself from
 * its parents is not found when its run must end, progress is seen every few seconds, and after a restart a supervisor
 * is known by its number and start time.
 */
package dev.escapement.process.runner;
