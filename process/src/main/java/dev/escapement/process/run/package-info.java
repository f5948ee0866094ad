/** The folder of a run: its plan, arguments, output and result as files. */
package dev.escapement.process.run;
