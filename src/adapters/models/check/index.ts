export { checkProvider, type Checked } from "./check-provider.ts";
