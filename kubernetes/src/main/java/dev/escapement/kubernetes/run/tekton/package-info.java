/** Runs as PipelineRuns of Tekton. */
package dev.escapement.kubernetes.run.tekton;
