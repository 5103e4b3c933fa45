export { fakeClock, type FakeClock } from "./fake-clock.ts";
export { crashPointFrom } from "./crash-point.ts";
export { storeConformance, type StoreUnderTest } from "./store-conformance/index.ts";
