// Written by `npm run prompts` from time.md; edit that.
export const text: string = `Tells the local date, time, weekday and time zone.
Use it when the answer depends on the moment. The date alone is in the system prompt already; for how long something took use bash.
Input: none. Output: one line such as 2025-11-30 18:29:20 +01:00 (Europe/Berlin), Sunday.
Side effects: none.`;
