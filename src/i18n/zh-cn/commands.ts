import type { Words } from "../en/words.ts";

export const commandTexts: Pick<
  Words,
  "sessions" | "show" | "configCommand" | "modelsCommand" | "doctor" | "init" | "error"
> = {
  sessions: {
    rmNeedsId: "rm 需要会话的 id",
    unknownAction: (action: string): string => `没有“${action}”这个动作，可用 list、rm 或 prune`,
    pruneNeedsDays: "prune 后面是天数，省略时为 30",
    pruned: (count: number, kilobytes: number): string => `已删除 ${count} 个会话，${kilobytes} kB`,
    keptOpen: (id: string): string => `${id} 正在别处打开，保留不动`,
    inUse: "使用中",
    noPrompt: "（还没有提示）",
    removed: (id: string): string => `已删除 ${id}`,
  },
  show: {
    needsId: "需要一个会话：ID、ID@7 或 ID@7..9",
    passedOver: (reason: string): string => `跳过，不可能发生：${reason}`,
  },
  configCommand: {
    home: "PAWL_HOME",
    layers: {
      flag: "选项",
      environment: "环境变量",
      project: "项目",
      user: "用户",
      default: "默认",
    },
  },
  modelsCommand: {
    unknown: "未知",
    price: (input: number, output: number): string => `输入 $${input}，输出 $${output}`,
    note: "窗口以 token 计，价格为每百万 token，以发布时为准。可在 config.jsonc 的 providers.名称.models 中自行设置。scripted/文件 播放脚本。",
  },
  doctor: {
    checks: {
      node: "Node",
      home: "PAWL_HOME",
      git: "git",
      bash: "bash",
      rg: "ripgrep",
      sandbox: "沙箱",
      model: "模型",
    },
    notWritable: (folder: string): string => `${folder} 不可写`,
    noSandbox: "本版本没有：经你同意后，命令以你的权限运行",
    noKeyNeeded: "不需要密钥",
    keyFrom: (source: string): string => `密钥来自 ${source}`,
    reached: (url: string): string => `${url} 有应答`,
    notReached: (url: string, why: string): string => `${url} 没有应答：${why}`,
  },
  init: {
    written: (file: string): string => `已写入 ${file}。请填上智能体需要了解的项目情况。`,
    present: (file: string): string => `${file} 已经存在，没有改动。`,
    starter: `# 在本项目中工作

智能体（或新同事）动手之前应当知道的事。

## 命令

- 安装：
- 测试：
- 检查（类型、lint、格式）：

## 规则

- 遵循所在文件的风格。
- 先跑测试，再说完成。

## 东西在哪里

-
`,
  },
  error: {
    title: "pawl：",
    internal: (what: string): string =>
      `Pawl 自身出错：${what}。已记录的内容不会丢失；请加 --verbose 重现并报告。`,
  },
};
