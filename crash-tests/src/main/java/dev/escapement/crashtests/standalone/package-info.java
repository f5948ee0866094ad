/**
 * Kills servers at random while they work, and judges afterwards what they promised: by what was acknowledged, by what
 * they recorded, and by what the workflows themselves wrote down.
 */
package dev.escapement.crashtests.standalone;
