package dev.escapement.api.endpoint;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.escapement.api.ApiRecord;

/** A record of an endpoint's document. Leaves out what is absent, but writes empty lists and texts. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public interface EndpointRecord extends ApiRecord {}
