// Shows what is, and keeps it up to date: each event says that something changed, then the short lists are read again.
import { get, setToken, TokenNeeded } from './api.js';
import { clearCell } from './clear.js';
import { refreshEndpoints } from './endpoints.js';
import { read } from './stream.js';
import { eventRow, executionRow, rows, targetRow } from './view.js';

const SHOWN = 50;
const EVENTS_SHOWN = 100;
const CALM_MS = 250;
const LOOK_MS = 3000;

const find = (id) => document.getElementById(id);
let position = null;
let due = false;
let connected = false;

async function refresh() {
  due = false;
  const [executions, targets, policy] = await Promise.all([
    get('/api/v1/executions?limit=' + SHOWN),
    get('/api/v1/targets?limit=' + SHOWN),
    get('/api/v1/policy'),
  ]);
  rows(find('execution-rows'), executions.items, executionRow, 6, 'None yet.');
  rows(find('target-rows'), targets.items, (target) => targetRow(target, policy, clearCell(target)), 4, 'None.');
  await refreshEndpoints();
}

/** There are too many runs of endpoints to send them as events, so the page polls them. */
async function look() {
  if (connected && document.visibilityState === 'visible') {
    await refreshEndpoints().catch(() => {}); // Whoever reads the events says that the connection is lost.
  }
  setTimeout(look, LOOK_MS);
}

/** However many events come, the lists are read a few times a second at most. */
function refreshSoon() {
  if (!due) {
    due = true;
    setTimeout(() => refresh().catch(say), CALM_MS);
  }
}

function say(problem) {
  find('connection').textContent = String(problem.message ?? problem);
}

function onEvent(event) {
  if (event.id) {
    position = event.id;
  }
  if (event.type !== 'Progress') {
    const list = find('event-rows');
    list.prepend(eventRow(event));
    while (list.children.length > EVENTS_SHOWN) {
      list.lastElementChild.remove();
    }
  }
  refreshSoon();
}

async function live() {
  for (let failures = 0; ; ) {
    try {
      await read(position, () => {
        failures = 0;
        connected = true;
        find('connection').textContent = 'live';
        refreshSoon();
      }, onEvent);
    } catch (problem) {
      if (problem instanceof TokenNeeded) {
        askForToken();
        return;
      }
    }
    connected = false;
    find('connection').textContent = 'connection lost, trying again';
    failures += 1;
    // Spread, so that many pages do not come back together.
    await new Promise((go) => setTimeout(go, Math.min(500 * 2 ** failures, 15000) * (0.5 + Math.random() / 2)));
  }
}

function askForToken() {
  find('connection').textContent = 'token needed';
  find('token-form').hidden = false;
  find('token').focus();
}

find('token-form').addEventListener('submit', async (submit) => {
  submit.preventDefault();
  setToken(find('token').value);
  try {
    await refresh();
    find('token-form').hidden = true;
    find('token-problem').textContent = '';
    live();
  } catch (problem) {
    find('token-problem').textContent = problem instanceof TokenNeeded ? 'That is not the token.' : String(problem);
  }
});

live();
look();
