package dev.escapement.api.audit;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.escapement.api.ApiRecord;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the audit trail: a record and its place in the hash chain. Also a line of an export.
 *
 * @param sequence the number of the entry, from 1, without gaps
 * @param previousHash the hash of the entry before
 * @param hash of the previous hash and the record, as hexadecimal digits
 */
public record AuditEntry(
        @Nullable Long sequence,
        @JsonProperty("previous_hash") @Nullable String previousHash,
        @Nullable String hash,
        @Nullable AuditRecord record,
        @JsonAnySetter Map<String, Object> other)
        implements ApiRecord {}
