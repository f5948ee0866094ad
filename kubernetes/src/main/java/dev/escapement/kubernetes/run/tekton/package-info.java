/** Runs workflows as Tekton PipelineRuns. */
package dev.escapement.kubernetes.run.tekton;
