export { imageIntake, type IntakeLimits } from "./intake.ts";
export { inspectImage } from "./inspect.ts";
export type { Broken, Found, MediaType } from "./found.ts";
