/**
 * Plans when an endpoint runs next: {@link dev.escapement.governor.plan.RunPlanner} computes it from a
 * {@link dev.escapement.governor.plan.Schedule}, a {@link dev.escapement.governor.plan.RunHistory} and the time, and
 * explains why.
 */
package dev.escapement.governor.plan;
