export { findSession, groundOf, type Unfinished, unfinishedSession } from "./ground.ts";
