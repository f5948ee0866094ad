// Shows the state and keeps it up to date: after each event the short lists are read again.
import { get, logIn, logInByAddress, TokenRequired } from './api.js';
import { clearCell } from './clear.js';
import { refreshEndpoints } from './endpoints.js';
import { read } from './stream.js';
import { eventRow, executionRow, rows, targetRow } from './view.js';

const MAX_ROWS = 50;
const MAX_EVENTS = 100;
const REFRESH_DELAY_MS = 250;
const POLL_MS = 3000;

const find = (id) => document.getElementById(id);
let position = null;
let refreshPending = false;
let connected = false;

async function refresh() {
  refreshPending = false;
  const [executions, targets, policy] = await Promise.all([
    get('/api/v1/executions?limit=' + MAX_ROWS),
    get('/api/v1/targets?limit=' + MAX_ROWS),
    get('/api/v1/policy'),
  ]);
  rows(find('execution-rows'), executions.items, executionRow, 6, 'None yet.');
  rows(find('target-rows'), targets.items, (target) => targetRow(target, policy, clearCell(target)), 4, 'None.');
  await refreshEndpoints();
}

/** Polls the endpoints: there are too many runs to send them as events. */
async function pollEndpoints() {
  if (connected && document.visibilityState === 'visible') {
    await refreshEndpoints().catch(() => {}); // The event stream reports a lost connection.
  }
  setTimeout(pollEndpoints, POLL_MS);
}

/** Limits the refreshes to a few per second, for any number of events. */
function refreshSoon() {
  if (!refreshPending) {
    refreshPending = true;
    setTimeout(() => refresh().catch(showProblem), REFRESH_DELAY_MS);
  }
}

function showProblem(problem) {
  find('connection').textContent = String(problem.message ?? problem);
}

function onEvent(event) {
  if (event.id) {
    position = event.id;
  }
  if (event.type !== 'Progress') {
    const list = find('event-rows');
    list.prepend(eventRow(event));
    while (list.children.length > MAX_EVENTS) {
      list.lastElementChild.remove();
    }
  }
  refreshSoon();
}

async function followEvents() {
  for (let failures = 0; ; ) {
    try {
      await read(position, () => {
        failures = 0;
        connected = true;
        find('connection').textContent = 'live';
        refreshSoon();
      }, onEvent);
    } catch (problem) {
      if (problem instanceof TokenRequired) {
        askForToken();
        return;
      }
    }
    connected = false;
    find('connection').textContent = 'connection lost, reconnecting';
    failures += 1;
    // With jitter, so that many pages do not reconnect at the same time.
    await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** failures, 15000) * (0.5 + Math.random() / 2)));
  }
}

function askForToken() {
  find('connection').textContent = 'token required';
  find('token-form').hidden = false;
  find('token').focus();
}

find('token-form').addEventListener('submit', async (submit) => {
  submit.preventDefault();
  try {
    await logIn({ token: find('token').value.trim() });
    await refresh();
    find('token-form').hidden = true;
    find('token-problem').textContent = '';
    followEvents();
  } catch (problem) {
    find('token-problem').textContent = problem instanceof TokenRequired ? 'Invalid token.' : String(problem);
  }
});

await logInByAddress();
followEvents();
pollEndpoints();
