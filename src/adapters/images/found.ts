/** The kinds of images models take, told by their bytes and never by a name. */
export type MediaType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** What the head of an image says. */
export interface Found {
  readonly at: "image";
  readonly mediaType: MediaType;
  /** Pixels, as they are stored: before `orientation` is applied. */
  readonly width: number;
  readonly height: number;
  /** EXIF orientation, 1 … 8 (1: as stored). */
  readonly orientation: number;
  readonly isAnimated: boolean;
}

/** It begins like an image, and no server would take it. */
export interface Broken {
  readonly at: "broken";
  readonly mediaType: MediaType;
  /** What is wrong, to stand behind "it". */
  readonly problem: string;
}

export const broken = (mediaType: MediaType, problem: string): Broken => ({
  at: "broken",
  mediaType,
  problem,
});

export const cutOff = (mediaType: MediaType): Broken =>
  broken(mediaType, "is cut off before its end");
