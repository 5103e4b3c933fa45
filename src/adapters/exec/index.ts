export { bootId } from "./boot-id.ts";
export { callMarker } from "./call-marker.ts";
export { commandEnvironment } from "./environment.ts";
export { attachRun, endRun, inspectRun, type InspectOptions } from "./inspect-run.ts";
export { argumentVector } from "./launch.ts";
export type {
  RunCause,
  RunEnd,
  RunEnded,
  RunLost,
  RunOutput,
  RunRefused,
  RunResult,
  RunSpec,
  RunState,
} from "./run.ts";
export { endOrphans } from "./orphans.ts";
export { forbidRun } from "./run-folder.ts";
export { startRun, type StartOptions } from "./start-run.ts";
export { sweep } from "./sweep.ts";
