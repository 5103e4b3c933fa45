// A measured process: reads one long reply of a wire. Prints the milliseconds of CPU: bench/reply-cpu.ts URL WIRE

import { clientOf, readReply } from "./long-reply-client.ts";
import { wireNames } from "./long-reply.ts";

const [url = "", name = ""] = process.argv.slice(2);
const wire = wireNames.find((one) => one === name) ?? "anthropic";
const before = process.cpuUsage();
const [block] = await readReply(clientOf(wire, url));
const { user, system } = process.cpuUsage(before);
if (block?.type === "tool_use" && block.problem !== null) throw new Error(block.problem);
console.log((user + system) / 1000);
