export { english as chinese } from "../en/words.ts";
