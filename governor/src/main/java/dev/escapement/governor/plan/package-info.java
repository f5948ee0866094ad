/**
 * When does an endpoint run next? {@link dev.escapement.governor.plan.RunPlanner} answers from a
 * {@link dev.escapement.governor.plan.Schedule}, a {@link dev.escapement.governor.plan.RunHistory} and the time, and
 * says why.
 */
package dev.escapement.governor.plan;
