package dev.escapement.api;

import com.fasterxml.jackson.annotation.JsonInclude;

/** A record of a document that leaves out what is absent, but writes empty lists and texts. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public interface ExplicitRecord extends ApiRecord {}
