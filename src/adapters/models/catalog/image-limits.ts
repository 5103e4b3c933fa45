import type { Wire } from "../capabilities.ts";

/** What servers of a wire take of one image. */
export interface ImageLimits {
  readonly mediaTypes: readonly string[];
  /** Characters of base64. */
  readonly base64Characters: number;
  /** Pixels of the longer edge, however many images the request holds. */
  readonly edgePx: number;
}

const mib = 1024 * 1024;
const cloudTypes = ["image/png", "image/jpeg", "image/webp"];

/** By wire, as the strictest server of each has it. */
const imageLimits: Readonly<Record<Wire, ImageLimits>> = {
  /**
   * "Vision", Anthropic API documentation, 2026: 5 MB of base64; 8,000 px, and 2,000 px when a request holds more
   * than 20 images. Images over 1,568 px (2,576 px for newer models) are scaled down there.
   */
  anthropic: {
    mediaTypes: [...cloudTypes, "image/gif"],
    base64Characters: 5 * mib,
    edgePx: 2_000,
  },
  /**
   * "Images and vision", OpenAI documentation, 2026: GIF only without animation, 50 MB a request, scaled down to
   * 2,048 px. Local servers decode with stb_image, which knows no WebP (ollama/ollama#17755, cline/cline#8977).
   */
  chat: { mediaTypes: ["image/png", "image/jpeg"], base64Characters: 20 * mib, edgePx: 2_048 },
  responses: { mediaTypes: cloudTypes, base64Characters: 20 * mib, edgePx: 2_048 },
  /** "Image understanding", Gemini API documentation, 2026: 7 MB an image, no GIF, no limit of pixels. */
  gemini: { mediaTypes: cloudTypes, base64Characters: 7 * mib, edgePx: Number.POSITIVE_INFINITY },
};

/**
 * What every wire takes. A session outlives its model, and an image is recorded once: what fits here can be sent
 * wherever the session goes, and stays the same bytes in every request.
 */
export const commonImageLimits: ImageLimits = common(Object.values(imageLimits));

function common(limits: readonly ImageLimits[]): ImageLimits {
  const [first] = limits;
  return {
    mediaTypes: (first?.mediaTypes ?? []).filter((type) =>
      limits.every(({ mediaTypes }) => mediaTypes.includes(type)),
    ),
    base64Characters: Math.min(...limits.map(({ base64Characters }) => base64Characters)),
    edgePx: Math.min(...limits.map(({ edgePx }) => edgePx)),
  };
}
