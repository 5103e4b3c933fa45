import type { Because, Failure, FailureClass, RefusalCode, Trace } from "#core";
import type { Damage } from "../en/told.ts";
import type { Words } from "../en/words.ts";
import { error } from "./errors.ts";

export const told: Pick<Words, "told"> = {
  told: {
    because,
    failure,
    evidence: (traces) => traces.map(trace).join(""),
    refusal: ({ refused }) => refusals[refused],
    damage,
    error,
    warning: (text) => warnings[text] ?? `回复有异常：${text}`,
  },
};

function because(why: Because): string {
  switch (why.type) {
    case "rule": {
      const verdict = { allow: "允许", deny: "拒绝", ask: "询问" }[why.verdict];
      return `规则 ${why.rule} 要求${verdict} ${why.tool}`;
    }
    case "read_only_mode":
      return "会话是只读的";
    case "edit_mode":
      return "工作区内的编辑已允许";
    case "bypass_mode":
      return "会话不再询问";
    case "inside":
      return "读取工作区内的内容";
    case "granted":
      return "在这个会话中已允许";
    case "outside":
      return `${why.path} 在工作区之外`;
    case "wall":
      return `${why.path} 在工作区之外；bypass 只是不再询问，不拆除这道墙（可用 --add-dir 增加目录）`;
    case "git":
      return `git 可能会执行 ${why.path} 里的内容`;
    case "no_rule": {
      if (why.others.length === 0) return `${why.tool} 需要许可`;
      const plain = why.limit === null ? "" : "，模式也不覆盖引号、变量、管道和重定向";
      return `${why.tool} 的这次调用需要许可：${why.others.join("、")} 只覆盖别的调用${plain}`;
    }
    case "nobody": {
      const ways = [
        ...(why.allow === null ? [] : [`--allow '${why.allow}'`]),
        ...(why.mode === null ? [] : [`--permission-mode ${why.mode}`]),
      ];
      const out =
        ways.length === 0
          ? "只有人能允许：请用 --on-ask pause"
          : `可用 ${ways.join(" 或 ")} 允许，或用 --on-ask pause`;
      return `${because(why.question)}；没有人在场回答，因此拒绝。${out}`;
    }
    case "answer":
      return why.verdict === "allow" ? "用户同意" : "用户不同意";
    default:
      return why satisfies never;
  }
}

/** Own words of the provider stay as they are. */
function failure({ class: kind, message, status, source, about }: Failure): string {
  const [what, usual] = failures[kind];
  const advice = about === "tools" ? toolsAdvice : usual;
  const code = status === null ? "" : `（HTTP ${status}）`;
  const peer = source === undefined ? "" : `${source.peer}：`;
  const own = kind === "bad_answer" ? message.replace(/^[^:]*: /, "") : message;
  const said = source === undefined ? (ownWords.has(kind) ? own : "") : source.said;
  return `${peer}${what}${code}${said === "" ? "" : `：${said.replace(/\.$/, "")}`}。${advice}`;
}

const toolsAdvice =
  '该模型或它的服务端不接受工具：请在 config.jsonc 的 providers.NAME.models 中为它设 "tools": "text"（见 docs/models.md），或换一个模型。';

/** Where no provider has spoken, the message is all that is known. */
const ownWords: ReadonlySet<FailureClass> = new Set(["internal", "invalid_request", "bad_answer"]);

const failures: Readonly<Record<FailureClass, readonly [what: string, advice: string]>> = {
  auth: ["密钥或权限不被接受", "请检查 API 密钥以及它的权限。"],
  billing: ["账户余额或套餐不足", "请检查账户的余额和套餐。"],
  not_found: ["找不到该模型或地址", "请检查模型名称和服务地址。"],
  invalid_request: ["请求无效", "同样的请求会再次失败。"],
  broken_history: ["对话的形式不被接受", "这是提供方不接受的对话形式。"],
  bad_tool_call: ["模型写出的调用无法读取", ""],
  content_filter: ["被提供方的内容过滤拦下", ""],
  context_overflow: ["对话超过了模型的上下文窗口", ""],
  rate_limit: ["请求过于频繁", "请稍等，或换一个模型或密钥。"],
  overloaded: ["服务过载", "请稍后再试。"],
  server: ["服务器出错", "请稍后再试。"],
  network: ["无法连接", "请检查地址、网络和代理服务器设置。"],
  tls: [
    "证书不受信任",
    "如果网络有自己的证书机构，请把 NODE_EXTRA_CA_CERTS 设为它的 PEM 文件后重新开始。",
  ],
  stall: ["太久没有任何数据，已放弃该请求", "请再试一次。"],
  truncated: ["回复提前结束", "请再试一次。"],
  aborted: ["已中断", ""],
  bad_answer: ["再次询问之后，答案仍不符合 JSON Schema", "请再问一次，或放宽 schema。"],
  internal: ["程序自身出错", "请报告此问题。"],
};

function trace(seen: Trace): string {
  switch (seen.type) {
    case "refused_before":
      return "调用在运行之前就被拒绝了。";
    case "not_begun":
      return "命令还没有开始，现已禁止它运行。";
    case "still_runs":
      return "命令仍在运行。";
    case "end_recorded":
      return "运行目录里记录了它如何结束。";
    case "rebooted":
      return "之后机器重新启动过，痕迹可能已丢失。";
    case "supervisor_gone":
      return "命令已经开始，但监管进程在记录结局之前被杀死了。";
    case "file":
      return `${seen.path} ${files[seen.now]}。`;
    default:
      return seen satisfies never;
  }
}

const files: Readonly<Record<Extract<Trace, { type: "file" }>["now"], string>> = {
  written: "的内容正是该调用要写的",
  deleted: "已按调用的要求删除",
  old: "仍是原来的内容",
  absent: "不存在",
  gone: "不见了：既不是调用前的样子，也不是调用要写的",
  unreadable: "无法读取：不知道是否为调用要写的内容",
  other: "是别的内容：既不是调用前的，也不是调用要写的",
};

const refusals: Readonly<Record<RefusalCode, string>> = {
  empty_prompt: "提示是空的。请写下要做的事。",
  nothing_to_stop: "没有正在运行的内容，或已经在停止。",
  nothing_to_continue: "没有停下的运行可以继续。请给出提示。",
  no_such_question: "没有关于该调用的未答询问。",
  still_a_question: "该调用仍需询问。",
  no_such_input: "该输入已不在队列中：模型已经收到。",
  busy: "运行停下之后才能压缩上下文。",
};

function damage({ kind, line }: Damage): string {
  const where = line > 0 ? `第 ${line} 行` : "某处";
  switch (kind) {
    case "torn_tail":
      return `末尾（${where}起）没有写完，已移到旁边的 journal.torn-N 文件。`;
    case "bad_line":
      return `${where}无法读取，已跳过。`;
    case "broken_chain":
      return `${where}之前缺少内容，或不接着前一行。`;
    case "emptied":
      return "日志文件是空的，里面原有的内容已丢失。";
    default:
      return kind satisfies never;
  }
}

/** What the engine itself says of a reply; the rest comes from the wire and stays as it is. */
const warnings: Readonly<Record<string, string>> = {
  "the script has no more turns; its last answer was repeated":
    "脚本没有更多回合了，重复了最后一个回答",
  "the reply ended with tool_use but holds no call": "回复以 tool_use 结束，但没有调用",
};
