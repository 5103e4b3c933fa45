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
    backwards: (from: number, to: number): string =>
      `${from}..${to} 不包含任何步骤：较小的数字应在前面。`,
    used: (
      replies: number,
      input: number,
      { output, cost }: { readonly output: number; readonly cost: string },
    ): string => `${replies} 次回复，输入 ${input} token，输出 ${output} token，${cost}`,
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
    columns: { window: "窗口", output: "输出" },
    price: (input, output) => `输入 $${input}，输出 $${output}`,
    cached: (read, write) => `读缓存 ${read}，写缓存 ${write}`,
    long: (aboveTokens, input, output) => `超过 ${aboveTokens}：输入 $${input}，输出 $${output}`,
    images: "图像",
    textTools: "以文本调用工具",
    loaded: "已载入",
    usable: "现在可用",
    unusable: "现在不可用",
    nothing: "还没有",
    any: (provider) => `它的任何模型：-m ${provider}/名称`,
    more: (count, provider) => `（${count} 个模型：pawl models ${provider}）`,
    list: {
      noKey: (variable) => `没有密钥：请设置 ${variable}`,
      noAddress: (provider) =>
        `没有地址：--base-url URL，或 config.jsonc 中的 providers.${provider}.baseUrl`,
      notAsked: "没有询问（--offline）",
    },
    note: "窗口和输出以 token 计，价格为每百万 token 的美元数，以发布时为准；服务端自己说的优先，你在 config.jsonc 的 providers.NAME.models 中写的最优先。scripted/FILE 按脚本回答。",
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
      proxy: "代理服务器",
      certificates: "证书",
    },
    notWritable: (folder: string): string => `${folder} 不可写`,
    noSandbox: "本版本没有：经你同意后，命令以你的权限运行",
    noKeyNeeded: "不需要密钥",
    noKey: "没有密钥",
    keyFrom: (source) => `密钥来自 ${source}`,
    check: {
      letIn: (place) => `${place}：有应答，可以使用`,
      notOffered: (found, name, provider) =>
        `${found}，但没有“${name}”。有哪些：pawl models ${provider}`,
      noAddress: (provider) =>
        `不知道它的地址。请在 config.jsonc 中设置 providers.${provider}.baseUrl。`,
      silent: (seconds) =>
        `${seconds} 秒内没有应答。可能被网络或代理服务器吞掉：看“代理服务器”一行，或再试。`,
      wrongAddress: (status, usual) =>
        `那里应答的（${status}）不是这个 API，base URL 不对。${usual === "" ? "" : `通常是 ${usual}。`}`,
      keyMissing: (provider, said) =>
        `需要密钥，但没有设置。请设置 providers.${provider}.apiKeyEnv 或它惯用的变量。它说：${said}`,
      keyRefused: (source, said) =>
        `它拒绝来自 ${source} 的密钥。请换一个，或检查有无笔误。它说：${said}`,
      certificate: (said) =>
        `这里不信任它的证书。若所在网络有自己的证书机构，请把 NODE_EXTRA_CA_CERTS 设为其 PEM 文件后重新启动。（${said}）`,
      notReached: (said) => `连接不上。请检查地址、网络和代理服务器。（${said}）`,
    },
    proxy: {
      none: "没有设置（HTTPS_PROXY、HTTP_PROXY）",
      used: (list) => `${list}；到本机的明文 HTTP 不经过它`,
      nodeTooOld: (version) =>
        `${version} 不支持代理服务器，请求不会经过它。请用 Node 22.21、24.5 或更新版本。`,
      onlyAll:
        "设置了 ALL_PROXY，但这里不用它。请把 HTTPS_PROXY 和 HTTP_PROXY 设为 HTTP 代理服务器。",
      invalid: (name) =>
        `${name} 不是 HTTP 代理服务器的地址（不支持 SOCKS）。请设为 http://127.0.0.1:3128 这样的形式，或取消设置。`,
    },
    certificates: {
      extra: (file) => `另外信任 ${file}（NODE_EXTRA_CA_CERTS）`,
      unreadable: (file) =>
        `NODE_EXTRA_CA_CERTS 指向的 ${file} 不能读取或不含证书，因此不被信任。请指定一个 PEM 文件后重新启动。`,
      off: "设置了 NODE_TLS_REJECT_UNAUTHORIZED=0：证书完全不检查，途中任何人都能读到密钥。请取消它；自己的证书机构用 NODE_EXTRA_CA_CERTS。",
    },
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
