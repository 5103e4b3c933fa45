import { createParser } from "eventsource-parser";

export interface SseEvent {
  /** The `event:` field; null when there was none. */
  readonly name: string | null;
  readonly data: string;
}

/** An event may hold a whole file as base64, a reply many of them; more is an attack or a fault. */
const largestEventChars = 32 * 1024 * 1024;
const largestStreamBytes = 256 * 1024 * 1024;

/**
 * Server-sent events of a byte stream, in the batches they arrive in. Any line end, byte order mark, comments;
 * characters split over chunks are put together. An event that is not closed by a blank line at the end of the
 * stream is given too, against the letter of the standard: servers that forget it are common (field case P07).
 * @param onTooLarge called once, instead of the rest, when an event or the whole does not end
 */
export async function* serverSentEvents(
  bytes: AsyncIterable<Uint8Array>,
  onTooLarge: () => void,
): AsyncGenerator<readonly SseEvent[]> {
  const decoder = new TextDecoder();
  let batch: SseEvent[] = [];
  let bytesSoFar = 0;
  let isTooLarge = false;
  const parser = createParser({
    maxBufferSize: largestEventChars,
    onEvent: ({ event, data }) => batch.push({ name: event ?? null, data }),
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") isTooLarge = true;
    },
  });
  function* take(): Generator<readonly SseEvent[]> {
    const events = batch;
    batch = [];
    if (events.length > 0) yield events;
  }

  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== "") parser.feed(text);
    yield* take();
    bytesSoFar += chunk.length;
    if (isTooLarge || bytesSoFar > largestStreamBytes) return onTooLarge();
  }
  parser.feed(`${decoder.decode()}\n\n`);
  yield* take();
}
