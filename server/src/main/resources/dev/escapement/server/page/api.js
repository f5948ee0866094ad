// Asks the server. The token is kept for this tab only.
const KEY = 'escapement-token';

export class TokenNeeded extends Error {}

export function setToken(token) {
  sessionStorage.setItem(KEY, token);
}

export function headers() {
  const token = sessionStorage.getItem(KEY);
  return token ? { Authorization: 'Bearer ' + token } : {};
}

export async function open(path, options = {}) {
  const answer = await fetch(path, { ...options, headers: { ...headers(), ...options.headers } });
  if (answer.status === 401) {
    throw new TokenNeeded('this server needs its token');
  }
  if (!answer.ok) {
    throw Object.assign(new Error('the server answered ' + answer.status), { status: answer.status });
  }
  return answer;
}

export async function get(path) {
  return (await open(path)).json();
}

/** Asks for something. JSON, which no foreign page can send here; the server checks the origin besides. */
export async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { ...headers(), 'Content-Type': 'application/json', 'X-Escapement-User': 'page' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) {
    const { error } = await answer.json();
    throw new Error(error.message);
  }
}
