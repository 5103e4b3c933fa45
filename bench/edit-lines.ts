import { join } from "node:path";

import { ROOT } from "../scripts/package-json.ts";
import { runNode } from "./child.ts";
import { atMost, type Line } from "./line.ts";
import type { Bench } from "./run.ts";
import { median } from "./statistics.ts";

const titles: Readonly<Record<string, string>> = {
  wide: "editing a file of one line of 5 MB",
  long: "editing a file of 200,000 lines",
};

/** One edit in a big file, from its arguments to its end. */
export async function editLines({ workplace }: Bench): Promise<readonly Line[]> {
  const { stdout } = await runNode({
    args: [join(ROOT, "bench", "edit-big.ts"), join(workplace.newHome(), "edit")],
    cwd: workplace.cwd,
    env: {},
    usageFile: null,
  });
  const printed: unknown = JSON.parse(stdout);
  return Object.entries(titles).map(([name, title]) => {
    const times: unknown = Reflect.get(Object(printed), name);
    const list = Array.isArray(times) ? times.filter((ms) => typeof ms === "number") : [];
    return {
      id: `edit-${name}`,
      title,
      unit: "ms",
      floor: null,
      pawl: median(list),
      goal: atMost(200),
    };
  });
}
