/** Classes that break one rule each, to show that the rule sees it. */
package dev.escapement.architecture.offenders;
