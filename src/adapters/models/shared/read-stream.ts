import type { Failure } from "#core";
import type { ModelChunk } from "#runtime";
import type { Bytes } from "./byte-queue.ts";
import type { Peer } from "./error-answer.ts";
import { cutOff } from "./network-failure.ts";
import { serverSentEvents, type SseEvent } from "./sse.ts";

/** Reads the frames of one reply. Everything unexpected is skipped and said; nothing throws. */
export interface FrameReader<Frame> {
  /** What one frame gives. */
  accept(frame: Frame): readonly ModelChunk[];
  /** Nothing that may still come counts: the reply is whole, or broke off with an error. */
  readonly isOver: boolean;
  /** The reply's stop reason has come: a cut from here on harms nothing. */
  readonly hasStop: boolean;
  /** The last chunks. `broken` says why no more frames come; it counts only while the reply is not whole. */
  end(broken: Failure): readonly ModelChunk[];
}

export interface StreamOptions<Frame> {
  readonly peer: Peer;
  readonly reader: FrameReader<Frame>;
  /** Null for what is no frame of this protocol. */
  readonly frameOf: (event: SseEvent) => Frame | "damaged" | null;
}

/** The chunks of one streamed reply: any number, then exactly one `end` or `failure`. Never throws. */
export async function* readStream<Frame>(
  bytes: Bytes,
  { peer, reader, frameOf }: StreamOptions<Frame>,
): AsyncGenerator<ModelChunk> {
  let broken: Failure | null = null;
  const events = serverSentEvents(bytes, () => {
    broken = cutOff(peer, "it is larger than any reply may be");
  });
  reading: for await (const batch of events) {
    for (const event of batch) {
      if (bytes.failure?.class === "aborted") break reading;
      const frame = frameOf(event);
      // A frame that cannot be read may have held part of a command: nothing of this reply can be trusted.
      if (frame === "damaged" && !reader.hasStop) {
        broken = cutOff(peer, "a frame of it is damaged");
        break reading;
      }
      if (frame === null || frame === "damaged") continue;
      yield* reader.accept(frame);
      if (reader.isOver) break reading;
      // Some servers leave the connection open behind the reply, with nothing or with pings.
      if (reader.hasStop) bytes.expectEnd();
    }
  }
  yield* reader.end(bytes.failure ?? broken ?? cutOff(peer, "the stream stopped before its end"));
}
