// Sends requests to the server. A cookie that scripts cannot read authenticates them.
const CODE = '#code=';

export class TokenRequired extends Error {}

/** Opens a session with {token} or {code}; throws TokenRequired if it is not valid. */
export async function logIn(credential) {
  await open('/api/v1/session', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(credential),
  });
}

/** Opens a session with the code of the address that the server printed, and removes it from the address. */
export async function logInByAddress() {
  if (location.hash.startsWith(CODE)) {
    const code = location.hash.slice(CODE.length);
    history.replaceState(null, '', location.pathname);
    await logIn({ code }).catch(() => {}); // A used code is no problem if there is a session.
  }
}

export async function open(path, options = {}) {
  const response = await fetch(path, options);
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
    headers: { 'Content-Type': 'application/json', 'X-Escapement-User': 'page' },
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    const { error } = await response.json();
    throw new Error(error.message);
  }
}
