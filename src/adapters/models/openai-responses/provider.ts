/** Owner of our opaque data, and the first part of our model references. */
export const provider = "openai";
