import type { Words } from "../en/words.ts";

export const run: Pick<Words, "progress" | "interactive" | "endings" | "unfinished"> = {
  progress: {
    model: (name: string): string => `模型 ${name}`,
    denied: (rule: string, reason: string): string => `被 ${rule} 拒绝：${reason}`,
    retry: (why: string, seconds: number): string => `${why} ${seconds} 秒后再试。`,
    longRetry: (why: string, kind: string, until: string): string =>
      `${why}（${kind}）将在 ${until} 再试。现在停止也不会丢失任何内容，会话可稍后继续。`,
    remedy: {
      fallBack: (why: string, model: string): string =>
        `${why} 由备用模型 ${model} 继续完成这次提问。`,
      withhold: {
        reasoning: (why: string): string => `${why} 此前的推理内容从现在起不再发送。`,
        images: (why: string): string => `${why} 此前的图片从现在起不再发送。`,
      },
      tell: (why: string): string => `${why} 已告知模型，并重新请求。`,
    },
    reasoningLeftOut: (model: string): string =>
      `其他模型写下的推理内容不会发给 ${model}：只有原作者能读懂。`,
    requestLost: "进程退出时正在传输的回复将重新请求。",
    lost: (title: string): string => `${title}：进程退出时正在运行，正在查明结果`,
    undetermined: (title: string): string => `${title}：无法确定是否已经发生`,
    happened: (title: string): string => `${title}：已经发生`,
    cutOff: (title: string): string => `${title}：进程退出时被中断，已输出的内容保留`,
    notHappened: (title: string): string => `${title}：没有发生`,
    running: (title: string): string => `${title}：仍在运行`,
    compacted: (from: number): string => `上下文已压缩：第 ${from} 条之前的消息改为摘要`,
    turn: (turn, used) => `第 ${turn} 轮：${used}`,
    used: (input, output, { cached, cost }) =>
      `输入 ${input} token${cached === 0 ? "" : `（${cached} 来自缓存）`}，输出 ${output}，${cost}`,
    stillWorking: (what: string, seconds: number): string => `仍在进行：${what}（${seconds} 秒）`,
    stillWaiting: (kind: string, seconds: number, until: string): string =>
      `仍在等待提供方（${kind}）：还有 ${seconds} 秒，到 ${until}`,
    thinking: "模型",
    wrote: (bytes: number, path: string, lines: string): string =>
      `向 ${path} 写入 ${bytes} 字节${lines}`,
    lines: (from: number, to: number): string =>
      from === to ? `，第 ${from} 行` : `，第 ${from}-${to} 行`,
    deleted: (path: string): string => `删除了 ${path}`,
    exit: (code: number): string => `退出码 ${code}`,
    noExit: "结束时没有退出码",
    outcome: {
      error: "出错",
      timeout: "超时",
      interrupted: "被中断",
      not_run: "未运行",
      denied: "被拒绝",
      ok: "完成",
    },
    unpriced: "价格未知",
    noSandbox: "本版本没有沙箱：命令以你的权限运行。（--sandbox off 表示已知悉。）",
    stdinSilent:
      "stdin 开着但没有数据，因此不等它就开始。要等待，请在提示中加 -；要关闭，请用 < /dev/null。",
    stdinNotText: "stdin 不是 UTF-8 文本，读不出的部分已被替换。",
    badLine: (line: number, what: string): string => `stdin 第 ${line} 行：${what}`,
    badCommand:
      '不是命令。可用：{"type":"prompt","text":…} 或 {"type":"prompt","content":[…]}、{"type":"interrupt","now":…}、{"type":"answer","call":…,"verdict":"allow"|"deny"}、{"type":"compact"}',
    badJson: (why: string): string => `不是 JSON 对象（${why}）`,
    lineTooLong: (most: number): string => `超过 ${most} 字节`,
    imageLeftOut: (path: string, why: string): string => `未附上 ${path}：${why}`,
    alwaysIsSession: "本版本中 always 只在这个会话内有效",
    waiting: (call: string, title: string): string => `等待许可（${call}）：${title}`,
    howToAnswer: (id: string): string =>
      `用规则继续：pawl -p -r ${id} --allow 规则；或在终端上回答：pawl -r ${id}`,
    resume: (command: string): string => `继续：${command}`,
    notWritten: (code: string): string => `输出没有写完（${code}）。答案仍在会话中：pawl show`,
    stopping: "正在停止；再按一次立即退出。",
    leaving: "已立即退出。已记录的内容不会丢失。",
    degraded: (count: number): string =>
      `损坏处之后有 ${count} 步无法衔接，已略过。当时进行中的工作已停止，不会重做：请先核对实际状态，再继续。`,
    damage: (what: string): string => `日志曾受损：${what}`,
  },
  interactive: {
    banner: (folder: string): string =>
      `Pawl，位于 ${folder}。输入 /help 查看用法；Ctrl-C 停止当前运行。`,
    help: `直接输入要做的事；Alt-Enter 换行。智能体工作时输入的内容会排队。
/continue      到达上限、失败或中断之后继续
/model [模型]  查看或更换模型
/thinking [级别] 查看或更改思考程度：off、low、medium、high、max
/mode [模式]   查看或更换权限模式：ask、read-only、edit、bypass
/cost          本会话的用量
/sessions      本文件夹的会话
/resume ID     继续另一个会话
/clear         下一条提示开始新会话
/compact       立即压缩上下文
/exit          退出（也可按 Ctrl-D）
回答询问：y = 允许，n = 拒绝，a = 本会话内都允许，其他文字 = 拒绝并说明原因。`,
    allow: "允许吗？y / n / a = 本会话 / 文字 = 拒绝的原因 › ",
    againToLeave: "再按一次 Ctrl-C 退出。",
    stillRunning: "还在运行：先按 Ctrl-C 停止。",
    goOn: "输入 /continue 从这里继续。",
    cleared: "下一条提示将开始新会话。",
    unknownSlash: (name: string): string => `没有 /${name}。见 /help。`,
    modelIs: (model: string): string => `模型：${model}`,
    thinkingIs: (level: string): string => `思考程度：${level}`,
    byItself: "由模型自己决定",
    modeIs: (mode: string): string => `权限模式：${mode}`,
    noCost: "还没有用量。",
    cost: (turns: number, tokens: number, { calls, cached, usd }): string =>
      `${turns} 轮，${calls} 次工具调用，${tokens} token${cached === 0 ? "" : `（${cached} 来自缓存）`}，${usd}`,
  },
  endings: {
    comeBack: (why: string, at: string): string =>
      `${why} 需要等待的时间太长，请在 ${at} 之后继续。`,
    truncated: "答案被输出上限截断。",
    refused: "模型或其提供方拒绝继续。",
    interrupted: "已中断。没有丢失任何内容，会话可以继续。",
    unknownStop: (raw: string): string =>
      `回复因本版本不认识的原因结束（${raw}）。已收到的内容保留。`,
    turns: (turns: number): string => `到达 ${turns} 轮的上限，自动停止。`,
    cost: (limit: number, spent: number): string =>
      `到达 $${limit} 的费用上限，自动停止（已用 $${spent.toFixed(4)}）。`,
    costUnknown: (limit: number, model: string): string =>
      `自动停止：无法遵守 $${limit} 的费用上限，因为有价格未知（模型 ${model}）。请改用 --max-tokens 或 --max-turns，或换一个模型。`,
    tokens: (tokens: number): string => `到达 ${tokens} token 的上限，自动停止。`,
    toolCalls: (calls: number): string => `到达 ${calls} 次工具调用的上限，自动停止。`,
    time: (seconds: number): string => `到达 ${seconds} 秒的时间上限，自动停止。`,
    noProgress: "没有进展，自动停止。",
    advice: "可以拆分任务、换一种做法，或提高上限后从这里继续。",
  },
  unfinished: {
    head: (id: string, title: string): string => `这里的上一个会话没有结束：${title}（${id}）`,
    goesOn: "上一次运行没有结束，现在继续。",
    done: (title: string): string => `已完成：${title}`,
    running: (title: string): string => `当时正在运行，将查明结果：${title}`,
    asked: (title: string): string => `等待你的许可：${title}`,
    notStarted: (title: string): string => `没有开始：${title}`,
    streaming: "当时有一条回复正在传输，将重新请求",
    question: "继续它吗？Y = 继续 / n = 重新开始 › ",
  },
};
