// Clears a target, with the name of a person and the reason why it may run again.
import { get, post } from './api.js';
import { element } from './view.js';

const CLEARABLE_STATES = ['Blocked', 'Exhausted'];
const find = (id) => document.getElementById(id);
const dialog = find('clear-dialog');
let target = '';

/** Creates the last cell of a target row; it is empty unless the target must be cleared. */
export function clearCell({ spec, status }) {
  const cell = element('td', '', { class: 'actions' });
  if (CLEARABLE_STATES.includes(status?.state)) {
    const name = spec.targetResource;
    const button = element('button', 'clear', { 'aria-label': `clear ${name}` });
    button.addEventListener('click', () => openDialog(name));
    cell.append(button);
  }
  return cell;
}

async function openDialog(name) {
  const session = await get('/api/v1/session');
  // The server records the name that belongs to the token.
  find('clear-by').required = !session.proven;
  find('clear-by-row').hidden = session.proven;
  target = name;
  find('clear-target').textContent = name;
  find('clear-problem').textContent = '';
  find('clear-reason').value = '';
  dialog.showModal();
}

find('clear-form').addEventListener('submit', async (submit) => {
  submit.preventDefault();
  const by = find('clear-by').required ? { by: find('clear-by').value } : {};
  try {
    await post('/api/v1/targets/clear', { target, ...by, reason: find('clear-reason').value });
    dialog.close(); // The event of the clearance refreshes the lists.
  } catch (problem) {
    find('clear-problem').textContent = String(problem.message ?? problem);
  }
});

find('clear-cancel').addEventListener('click', () => dialog.close());
