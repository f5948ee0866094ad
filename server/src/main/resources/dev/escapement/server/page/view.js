// Builds elements. User text is only set as text, never as markup.
const TONES = {
  Completed: 'good', Running: 'busy', Pending: 'busy', Failed: 'bad', Skipped: 'wait',
  Held: 'busy', Blocked: 'bad', BackingOff: 'wait', CoolingDown: 'wait', Exhausted: 'bad', Free: 'good',
  NEW: 'busy', HEALTHY: 'good', FAILING: 'bad', PAUSED: 'wait', SUCCEEDED: 'good', FAILED: 'bad',
  WorkflowCompleted: 'good', WorkflowFailed: 'bad', WorkflowSkipped: 'wait', PipelineRunCreated: 'busy', WorkflowPending: 'busy',
};

export function element(name, text, attributes = {}) {
  const node = document.createElement(name);
  node.textContent = text;
  for (const [key, value] of Object.entries(attributes)) {
    node.setAttribute(key, value);
  }
  return node;
}

export function toned(name, text, attributes = {}) {
  return element(name, text, { 'data-tone': TONES[text] ?? 'none', ...attributes });
}

export function time(instant) {
  if (!instant) {
    return element('span', '');
  }
  const date = new Date(instant);
  const today = date.toDateString() === new Date().toDateString();
  const text = today ? date.toLocaleTimeString() : date.toLocaleString();
  return element('time', text, { datetime: instant, title: instant });
}

export function cell(child) {
  const node = document.createElement('td');
  node.append(child);
  return node;
}

export function executionRow(execution) {
  const { metadata, spec, status = {} } = execution;
  const row = document.createElement('tr');
  row.dataset.uid = metadata.uid;
  const since = cell(time(status.completionTime ?? status.startTime ?? metadata.creationTimestamp));
  since.className = 'since';
  row.append(
    toned('td', status.phase ?? 'Pending', { class: 'phase' }),
    element('td', metadata.namespace + '/' + metadata.name),
    element('td', spec.workflowRef.workflowId),
    element('td', spec.targetResource),
    since,
    element('td', why(status)),
  );
  return row;
}

function why(status) {
  if (status.skipDetails) {
    return status.skipDetails.reason + ': ' + status.skipDetails.message;
  }
  if (status.pendingDetails) {
    return status.pendingDetails.reason + ': ' + status.pendingDetails.message;
  }
  if (status.failureDetails) {
    return status.failureDetails.reason + ': ' + status.failureDetails.message;
  }
  const run = status.pipelineRunStatus;
  return run && run.totalTasks ? `${run.completedTasks} of ${run.totalTasks} tasks ${run.message ?? ''}` : '';
}

export function targetRow(target, policy, actions) {
  const row = document.createElement('tr');
  const [state, reasons] = condition(target.status ?? {}, policy);
  row.append(toned('td', state, { class: 'phase' }), element('td', target.spec.targetResource), element('td', reasons), actions);
  return row;
}

function condition(status, policy) {
  const reasons = [];
  const state = status.state ?? 'Free';
  if (status.holder) {
    reasons.push(`held by ${name(status.holder)} (${status.holder.workflowId}) since ${status.holder.startedAt}`);
  }
  for (const { workflowId, block, completed } of status.workflows ?? []) {
    if (block) {
      reasons.push(`${workflowId} ran and failed (${block.reason}) as ${name(block)} at ${block.completedAt}: `
        + 'blocked until a person clears it');
    }
    if (completed) {
      reasons.push(`${workflowId} completed as ${name(completed)} at ${completed.completedAt}: `
        + `cools down for ${policy['cooldown-period']}`);
    }
  }
  if (status.retry) {
    const { consecutiveFailures, nextAllowedExecution, last } = status.retry;
    const exhausted = consecutiveFailures >= Number(policy['max-consecutive-failures']);
    reasons.push(`${consecutiveFailures} consecutive executions could not start, the last one ${name(last)} (${last.reason}): `
      + (exhausted ? 'blocked until a person clears it' : `not before ${nextAllowedExecution}`));
  }
  return [state, reasons.join('; ')];
}

function name(execution) {
  return (execution.namespace ? execution.namespace + '/' : '') + execution.name;
}

export function eventRow(event) {
  const row = document.createElement('li');
  const { data } = event;
  const who = data.execution ? `${data.execution.namespace}/${data.execution.name}` : '';
  row.append(
    time(data.at),
    toned('span', event.type, { class: 'kind' }),
    element('span', [who, data.target, data.reason, data.message].filter(Boolean).join(' · ')),
  );
  return row;
}

export function rows(body, items, make, columns, none) {
  if (items.length === 0) {
    const row = document.createElement('tr');
    row.append(element('td', none, { colspan: columns }));
    body.replaceChildren(row);
  } else {
    body.replaceChildren(...items.map(make));
  }
}
