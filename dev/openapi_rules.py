"""Rules of request bodies that an OpenAPI schema cannot express, for dev/check-openapi.

schemathesis expects every request that matches the schema to be accepted. For the operations below it also accepts
status 400, and the check in this file then requires that every problem in the answer is one of these rules.
"""

import json
import re

import schemathesis

OPERATIONS = {"createEndpoint", "replaceEndpoint", "changeEndpoint", "importEndpoints", "hintEndpoint", "pauseEndpoint", "createExecution"}

RULES = re.compile(
    "|".join(
        [
            # The grammar of another language.
            r"^url is refused: ",
            r"^cron is refused: ",
            r"^timeZone is refused: there is no time zone ",
            r"^signingKey is refused: ",
            r"^spec.executionConfig.timeout is ",
            # Names that belong to the connection or to the server, and names that differ by case only.
            r"^headers\.\S+ is (refused: .* (belongs to the connection|is set by Escapement itself)|given twice)",
            # Bounds of durations and times, and the order of two of them.
            r"^(interval|minInterval|maxInterval) is refused: .*(it must be from|longer than|is not a duration)",
            r"^timeout is \S+: it must be from 1ms to 15m$",
            r"^pausedUntil is ",
            r"is not a duration: ",
            r"^until is .* (not in the future|leave it out to pause)",
            r"^(time|interval|end) of the .*hint is ",
            r"^(one-shot|interval) hint .*: it must expire later",
            # The present state.
            r"^endpoint \S+ has \d+ hints",
            # The body of an endpoint may have any shape otherwise.
            r"an item of a list must not be null$",
            # Two places of one request.
            r"name is used twice",
            r"^the parameter namespace is .* and metadata.namespace is ",
        ]
    )
)

# A patch may contradict the fields that it leaves unchanged.
PATCH_RULES = re.compile(
    r"^timeZone is invalid: it goes with cron|^body is invalid: a GET request has no body|^exactly one of interval and cron"
)


@schemathesis.check
def rejected_by_a_rule_beyond_the_schema(ctx, response, case):
    """Fails if a request that matches the schema is rejected for another reason than one of the rules."""
    operation = case.operation.definition.raw.get("operationId")
    if operation not in OPERATIONS or response.status_code != 400:
        return
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    error = json.loads(response.content)["error"]
    # The problems of an execution are one text.
    message = error["message"].removeprefix("WorkflowExecution refused: ")
    problems = error.get("problems") or re.split(r"; (?=spec\.|metadata\.)", message)
    other = []
    for problem in problems:
        rule = re.sub(r"^items\[\d+\] \(.*?\): ", "", problem)
        if not RULES.search(rule) and not (operation == "changeEndpoint" and PATCH_RULES.search(rule)):
            other.append(problem)
    assert not other, "rejected although it matches the schema:\n" + "\n".join(other)
