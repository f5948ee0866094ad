// Endpoints: what they are like, when they run next and why, and what became of the last runs.
import { get, post } from './api.js';
import { cell, element, rows, time, toned } from './view.js';

const SHOWN = 50;
const RUNS_SHOWN = 5;
const COLUMNS = 6;
const NO_DATABASE = 501;

const find = (id) => document.getElementById(id);
const details = new Map();
let shown = '';
let none = false;

/** Reloads the short list. Unchanged rows keep their elements, so that focus and selection stay. */
export async function refreshEndpoints() {
  if (none) {
    return; // An operator that has no database gets none while it runs.
  }
  try {
    await refreshList();
  } catch (problem) {
    if (problem.status !== NO_DATABASE) {
      throw problem;
    }
    none = true;
    rows(find('endpoint-rows'), [], endpointRow, COLUMNS, 'This operator has no database to keep them in: start it with --database.');
  }
}

async function refreshList() {
  const [failing, all] = await Promise.all([
    get('/api/v1/endpoints?state=failing&limit=' + SHOWN),
    get('/api/v1/endpoints?limit=' + SHOWN),
  ]);
  const known = new Set(failing.items.map((endpoint) => endpoint.id));
  const items = [...failing.items, ...all.items.filter((endpoint) => !known.has(endpoint.id))].slice(0, SHOWN);
  // What cannot be read any more is closed; it must not keep the rest from being shown.
  await Promise.all([...details.keys()].map((id) => readDetails(id).catch(() => details.delete(id))));
  const now = JSON.stringify([items, [...details.values()]]);
  if (now !== shown) {
    shown = now;
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
    last.append(element('span', ` ${status.failures} failed in a row`));
  }
  // The time stands beside it, and the whole story under the name.
  const why = (status.plan?.explanation ?? '').split('\n')[0].replace(/^Runs next at \S+: /, '');
  row.append(state, nameCell(id, name), nextCell(status), element('td', why), last, asks(endpoint));
  return row;
}

function nextCell(status) {
  if (status.running) {
    const made = element('td', 'running since ');
    made.append(time(status.running.since));
    return made;
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
    await again();
  });
  const made = cell(button);
  made.className = 'since';
  return made;
}

function asks(endpoint) {
  const made = element('td', '', { class: 'asks' });
  const paused = endpoint.status.state === 'PAUSED';
  for (const what of paused ? ['resume'] : ['run', 'pause']) {
    const button = element('button', what, { 'aria-label': `${what} ${endpoint.name}` });
    button.dataset.key = what + ' ' + endpoint.id;
    button.addEventListener('click', async () => {
      button.disabled = true;
      await again(() => post(`/api/v1/endpoints/${encodeURIComponent(endpoint.id)}/${what}`, {}));
      button.disabled = false;
    });
    made.append(button);
  }
  return made;
}

async function again(first = async () => {}) {
  try {
    await first();
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
    get(path + '/runs?limit=' + RUNS_SHOWN),
  ]);
  if (details.has(id)) {
    const { remediation } = endpoint.status;
    details.set(id, { explanation: explained.explanation, remediation, runs: runs.items });
  }
}

function remedy({ state, execution, executionPhase, reason, until }) {
  const what = execution ? `${execution} is ${executionPhase}` : reason;
  return `Remediation ${state}: ${what}` + (until ? ` (until ${until})` : '');
}

function detailsRow({ explanation, remediation, runs }) {
  const row = document.createElement('tr');
  row.className = 'details';
  const made = element('td', '', { colspan: COLUMNS });
  for (const line of explanation.split('\n')) {
    made.append(element('p', line));
  }
  if (remediation) {
    made.append(element('p', remedy(remediation)));
  }
  for (const run of runs) {
    made.append(runLine(run));
    if (run.response) {
      made.append(element('pre', run.response));
    }
  }
  row.append(made);
  return row;
}

function runLine(run) {
  const made = document.createElement('p');
  const facts = [
    run.statusCode ? `status ${run.statusCode}` : '',
    `${run.latenessMillis} ms late`,
    `took ${run.durationMillis} ms`,
    run.failure ? `${run.failure}: ${run.error}` : '',
    run.missed ? `${run.missed} beats missed: ${run.missedReason}` : '',
  ];
  made.append(
    time(run.startedAt),
    element('span', ' '),
    toned('span', run.outcome, { class: 'phase' }),
    element('span', ' · ' + facts.filter(Boolean).join(' · ')),
  );
  return made;
}
