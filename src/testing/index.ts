export { fakeClock, type FakeClock } from "./fake-clock.ts";
