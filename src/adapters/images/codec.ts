import { parentPort, workerData } from "node:worker_threads";
import type { MediaType } from "./found.ts";
import { shrink, type Pixels } from "./pixels.ts";
import { turned } from "./turn.ts";

/** What is to be made of an image. */
export interface Wish {
  readonly bytes: Uint8Array;
  readonly orientation: number;
  /** Pixels of the longer edge. */
  readonly edgePx: number;
  readonly mostBytes: number;
  /** What was drawn (screenshots) stays as sharp as it was, where that does not cost too much. */
  readonly prefer: "sharp" | "small";
}

export interface Made {
  readonly mediaType: MediaType;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Bytes up to which a lossless copy is taken: what a request carries it carries in every turn. */
const sharpBytes = 1_000_000;
const qualities = [85, 70, 50] as const;
const smallestEdgePx = 100;

/** Null: it cannot be made so small. */
async function make({ bytes, orientation, edgePx, mostBytes, prefer }: Wish): Promise<Made | null> {
  const { PhotonImage } = await import("@silvia-odwyer/photon-node");
  const decoded = PhotonImage.new_from_byteslice(bytes);
  const whole: Pixels = {
    width: decoded.get_width(),
    height: decoded.get_height(),
    rgba: decoded.get_raw_pixels(),
  };
  decoded.free();
  let pixels = turned(within(whole, edgePx), orientation);
  const longerPx = Math.max(pixels.width, pixels.height);
  for (let edge = longerPx; edge === longerPx || edge >= smallestEdgePx; edge /= 2) {
    pixels = within(pixels, edge);
    const { width, height, rgba } = pixels;
    const picture = new PhotonImage(rgba, width, height);
    if (prefer === "sharp") {
      const png = picture.get_bytes();
      if (png.length <= Math.min(sharpBytes, mostBytes)) {
        return { mediaType: "image/png", bytes: png, width, height };
      }
    }
    const opaque = new PhotonImage(onWhite(rgba), width, height);
    for (const quality of qualities) {
      const jpeg = opaque.get_bytes_jpeg(quality);
      if (jpeg.length <= mostBytes) {
        return { mediaType: "image/jpeg", bytes: jpeg, width, height };
      }
    }
  }
  return null;
}

function within(pixels: Pixels, edgePx: number): Pixels {
  const { width, height } = pixels;
  const scale = Math.min(1, edgePx / Math.max(width, height));
  return shrink(
    pixels,
    Math.max(1, Math.round(width * scale)),
    Math.max(1, Math.round(height * scale)),
  );
}

/** JPEG knows no opacity. */
function onWhite(rgba: Uint8Array): Uint8Array {
  const opaque = new Uint8Array(rgba.length);
  for (let at = 0; at < rgba.length; at += 4) {
    const opacity = rgba[at + 3] ?? 0;
    for (let colour = 0; colour < 3; colour += 1) {
      opaque[at + colour] = ((rgba[at + colour] ?? 0) * opacity + 255 * (255 - opacity)) / 255;
    }
    opaque[at + 3] = 255;
  }
  return opaque;
}

// This file is the program of a thread; anywhere else it does nothing.
if (parentPort !== null) {
  // From `in-thread.ts`, which has the same type for it. A throw ends the thread.
  parentPort.postMessage(await make(workerData as Wish));
}
