// Sends requests to the server. The token is stored for this browser tab only.
const KEY = 'escapement-token';

export class TokenRequired extends Error {}

export function setToken(token) {
  sessionStorage.setItem(KEY, token);
}

export function headers() {
  const token = sessionStorage.getItem(KEY);
  return token ? { Authorization: 'Bearer ' + token } : {};
}

export async function open(path, options = {}) {
  const response = await fetch(path, { ...options, headers: { ...headers(), ...options.headers } });
  if (response.status === 401) {
    throw new TokenRequired('this server requires a token');
  }
  if (!response.ok) {
    throw Object.assign(new Error('unexpected response from the server: HTTP ' + response.status), { status: response.status });
  }
  return response;
}

export async function get(path) {
  return (await open(path)).json();
}

/** Posts JSON, which a page of another origin cannot send; the server also checks the origin. */
export async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { ...headers(), 'Content-Type': 'application/json', 'X-Escapement-User': 'page' },
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    const { error } = await response.json();
    throw new Error(error.message);
  }
}
