// Server-sent events over fetch: the browser's own EventSource does not report why a request was rejected.
import { open } from './api.js';

/** Calls onEvent({id, type, data}) for each event until the stream ends; throws if it cannot be opened. */
export async function read(after, onOpen, onEvent) {
  const query = after === null ? '' : '?after=' + encodeURIComponent(after);
  const response = await open('/api/v1/events' + query, { headers: { Accept: 'text/event-stream' } });
  onOpen();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    buffer += value;
    const parts = buffer.split('\n\n');
    buffer = parts.pop();
    for (const part of parts) {
      const event = parse(part);
      if (event) {
        onEvent(event);
      }
    }
  }
}

export function parse(text) {
  const event = { id: '', type: 'message', data: '' };
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon < 1) {
      continue;
    }
    const value = line.slice(colon + 1).replace(/^ /, '');
    const field = line.slice(0, colon);
    if (field === 'id') event.id = value;
    if (field === 'event') event.type = value;
    if (field === 'data') event.data = value;
  }
  return event.data ? { ...event, data: JSON.parse(event.data) } : null;
}
