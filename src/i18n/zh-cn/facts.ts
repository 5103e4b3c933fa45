import type { Words } from "../en/words.ts";

export const facts: Pick<Words, "facts"> = {
  facts: {
    sessionStarted: (folder: string, model: string, mode: string): string =>
      `会话开始于 ${folder}，模型 ${model}，权限模式 ${mode}`,
    sessionResumed: (program: string, folder: string): string =>
      `由 ${program} 在 ${folder} 再次打开`,
    sessionForked: (from: string, seq: number): string => `从 ${from} 的第 ${seq} 步分出`,
    agentChanged: (what: string): string => `改变：${what}`,
    input: {
      prompt: (text: string): string => `提示：${text}`,
      continue: (): string => "要求继续",
      compact: (): string => "要求压缩上下文",
    },
    inputWithdrawn: (count: number): string => `收回 ${count} 条排队的输入`,
    interruptNow: "中断：立即停止",
    interruptGraceful: "中断：等正在运行的结束",
    requestStarted: (request: string, attempt: number, model: string): string =>
      `向 ${model} 发出请求 ${request}${attempt > 1 ? `，第 ${attempt} 次` : ""}`,
    requestFailed: (request: string, kind: string, message: string): string =>
      `请求 ${request} 失败（${kind}）：${message}`,
    requestLost: (request: string): string => `请求 ${request} 随进程丢失`,
    response: (
      stop: string,
      used: string,
      { calls, text }: { readonly calls: string; readonly text: string },
    ): string =>
      `回复（${stop}；${used}）${calls === "" ? "" : `，调用：${calls}`}${text === "" ? "" : `，文字：${text}`}`,
    timerFired: (timer: string): string => `定时器 ${timer} 到时`,
    compacted: (from: number, how: string): string =>
      `上下文已压缩（${how}）：保留第 ${from} 条及以后的消息`,
    toolRequested: (call: string, title: string): string => `调用 ${call} 提前到达：${title}`,
    asked: (title: string, rule: string, reason: string): string =>
      `请求许可 ${title}（${rule}）：${reason}`,
    decided: {
      allow: (title: string, who: string, reason: string): string =>
        `允许 ${title}（${who}）：${reason}`,
      deny: (title: string, who: string, reason: string): string =>
        `拒绝 ${title}（${who}）：${reason}`,
    },
    by: { rule: "规则", user: "用户", hook: "钩子", mode: "模式", headless: "无人值守" },
    toolStarted: (title: string, attempt: number): string =>
      `开始 ${title}${attempt > 1 ? `，第 ${attempt} 次` : ""}`,
    toolFinished: (title: string, outcome: string, durationMs: number): string =>
      `结束 ${title}：${outcome}，${durationMs} 毫秒`,
    toolLost: (title: string): string => `进程退出时 ${title} 正在运行`,
    toolProbed: (title: string, verdict: string, evidence: string): string =>
      `查明 ${title}：${verdict}。${evidence}`,
    jobStarted: (job: string, title: string): string => `后台任务 ${job} 开始：${title}`,
    jobEnded: (job: string, outcome: string): string => `后台任务 ${job} 结束：${outcome}`,
    budgetReserved: (usd: number): string => `预留 $${usd}`,
    budgetReleased: (usd: number): string => `释放 $${usd}`,
    memoryChanged: (section: string): string => `记忆改变：${section}`,
    restored: (paths: string): string => `恢复文件：${paths}`,
    hookRan: (point: string, note: string): string => `${point} 处的钩子：${note}`,
  },
};
