// Shows endpoints: state, next run with the reason for its time, and last runs.
import { get, post } from './api.js';
import { cell, element, rows, time, toned } from './view.js';

const MAX_ROWS = 50;
const MAX_RUNS = 5;
const COLUMNS = 6;
const NO_DATABASE = 501;

const find = (id) => document.getElementById(id);
const details = new Map();
let rendered = '';
let unavailable = false;

/** Reloads the short list. Unchanged rows keep their elements, so that focus and selection stay. */
export async function refreshEndpoints() {
  if (unavailable) {
    return; // The database of an operator is set at its start.
  }
  try {
    await refreshList();
  } catch (problem) {
    if (problem.status !== NO_DATABASE) {
      throw problem;
    }
    unavailable = true;
    rows(find('endpoint-rows'), [], endpointRow, COLUMNS, 'This operator has no database for endpoints; start it with --database.');
  }
}

async function refreshList() {
  const [failing, all] = await Promise.all([
    get('/api/v1/endpoints?state=failing&limit=' + MAX_ROWS),
    get('/api/v1/endpoints?limit=' + MAX_ROWS),
  ]);
  const known = new Set(failing.items.map((endpoint) => endpoint.id));
  const items = [...failing.items, ...all.items.filter((endpoint) => !known.has(endpoint.id))].slice(0, MAX_ROWS);
  // Closes details that cannot be read any more, so that they do not prevent the refresh.
  await Promise.all([...details.keys()].map((id) => readDetails(id).catch(() => details.delete(id))));
  const content = JSON.stringify([items, [...details.values()]]);
  if (content !== rendered) {
    rendered = content;
    draw(items);
  }
}

function draw(items) {
  const focused = document.activeElement?.dataset?.key;
  const body = find('endpoint-rows');
  rows(body, items, endpointRow, COLUMNS, 'None.');
  for (const endpoint of items) {
    if (details.get(endpoint.id)) {
      body.querySelector(`tr[data-id="${endpoint.id}"]`).after(detailsRow(details.get(endpoint.id)));
    }
  }
  if (focused) {
    [...body.querySelectorAll('button')].find((button) => button.dataset.key === focused)?.focus();
  }
}

function endpointRow(endpoint) {
  const { id, name, status } = endpoint;
  const row = document.createElement('tr');
  row.dataset.id = id;
  const state = toned('td', status.state, { class: 'phase' });
  const last = status.lastRun ? cell(time(status.lastRun.endedAt)) : element('td', '');
  if (status.failures > 0) {
    last.append(element('span', ` ${status.failures} consecutive ${status.failures === 1 ? 'failure' : 'failures'}`));
  }
  // The next cell has the time; the details below the name have the whole explanation.
  const why = (status.plan?.explanation ?? '').split('\n')[0].replace(/^Runs next at \S+: /, '');
  row.append(state, nameCell(id, name), nextCell(status), element('td', why), last, actionCell(endpoint));
  return row;
}

function nextCell(status) {
  if (status.running) {
    const node = element('td', 'running since ');
    node.append(time(status.running.since));
    return node;
  }
  return cell(time(status.nextRun?.at));
}

function nameCell(id, name) {
  const button = element('button', name, { class: 'name', 'aria-expanded': String(details.has(id)) });
  button.dataset.key = 'name ' + id;
  button.addEventListener('click', async () => {
    if (details.has(id)) {
      details.delete(id);
    } else {
      details.set(id, null);
    }
    await updateList();
  });
  const node = cell(button);
  node.className = 'since';
  return node;
}

function actionCell(endpoint) {
  const node = element('td', '', { class: 'actions' });
  const paused = endpoint.status.state === 'PAUSED';
  for (const action of paused ? ['resume'] : ['run', 'pause']) {
    const button = element('button', action, { 'aria-label': `${action} ${endpoint.name}` });
    button.dataset.key = action + ' ' + endpoint.id;
    button.addEventListener('click', async () => {
      button.disabled = true;
      await updateList(() => post(`/api/v1/endpoints/${encodeURIComponent(endpoint.id)}/${action}`, {}));
      button.disabled = false;
    });
    node.append(button);
  }
  return node;
}

async function updateList(action = async () => {}) {
  try {
    await action();
    await refreshEndpoints();
    find('endpoint-problem').textContent = '';
  } catch (problem) {
    find('endpoint-problem').textContent = String(problem.message ?? problem);
  }
}

async function readDetails(id) {
  const path = '/api/v1/endpoints/' + encodeURIComponent(id);
  const [endpoint, explained, runs] = await Promise.all([
    get(path),
    get(path + '/explain'),
    get(path + '/runs?limit=' + MAX_RUNS),
  ]);
  if (details.has(id)) {
    const { remediation } = endpoint.status;
    details.set(id, { explanation: explained.explanation, remediation, runs: runs.items });
  }
}

function describeRemediation({ state, execution, executionPhase, reason, until }) {
  const what = execution ? `${execution} is ${executionPhase}` : reason;
  return `Remediation ${state}: ${what}` + (until ? ` (until ${until})` : '');
}

function detailsRow({ explanation, remediation, runs }) {
  const row = document.createElement('tr');
  row.className = 'details';
  const node = element('td', '', { colspan: COLUMNS });
  for (const line of explanation.split('\n')) {
    node.append(element('p', line));
  }
  if (remediation) {
    node.append(element('p', describeRemediation(remediation)));
  }
  for (const run of runs) {
    node.append(runLine(run));
    if (run.response) {
      node.append(element('pre', run.response));
    }
  }
  row.append(node);
  return row;
}

function runLine(run) {
  const node = document.createElement('p');
  const facts = [
    run.statusCode ? `status ${run.statusCode}` : '',
    `${run.latenessMillis} ms late`,
    `took ${run.durationMillis} ms`,
    run.failure ? `${run.failure}: ${run.error}` : '',
    run.missed ? `${run.missed} runs missed: ${run.missedReason}` : '',
  ];
  node.append(
    time(run.startedAt),
    element('span', ' '),
    toned('span', run.outcome, { class: 'phase' }),
    element('span', ' · ' + facts.filter(Boolean).join(' · ')),
  );
  return node;
}
