export { findSession, groundOf, unfinishedSession } from "./ground.ts";
