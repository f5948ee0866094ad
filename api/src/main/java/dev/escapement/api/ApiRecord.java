package dev.escapement.api;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;

/** A record of a document. Writes its unknown fields back, and leaves out what is absent or empty. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public interface ApiRecord {

    /** Returns the fields that this version does not know, as they were read. Belongs to the record: do not change. */
    @JsonAnyGetter
    Map<String, Object> other();
}
