import type { Words } from "../en/words.ts";

export const settings: Pick<Words, "config" | "answerSchema" | "model" | "worktree" | "session"> = {
  config: {
    unusableFile: {
      not_a_file: (file: string): string => `${file} 不是普通文件，没有读取。`,
      not_utf8: (file: string): string => `${file} 不是 UTF-8 文本，请另存为 UTF-8。`,
      not_readable: (file: string): string => `${file} 无法读取，请检查权限。`,
    },
    noSuchFile: (file: string): string => `--config：没有文件 ${file}。`,
    fileTooLong: (file: string, most: number): string => `${file} 超过 ${most} 字节。`,
    tooDeep: (most: number): string => `嵌套超过 ${most} 层。`,
    syntax: (what: string): string => `不是有效的（可带注释的）JSON（${what}）。`,
    notAnObject: "设置应当是一个对象：{ … }。",
    duplicate: (key: string): string => `“${key}”出现了两次，只能有一个生效。请删去一个。`,
    wrong: (key: string, expected: string): string => `${key} 应当是${expected}。`,
    expected: {
      model: "“提供方/名称”形式的模型",
      oneOf: (names: readonly string[]): string => `以下之一：${names.join("、")}`,
      turns: "不小于 1 的整数、“quick”、“long”或“unlimited”",
      count: "不小于 1 的整数",
      amount: "大于 0 的数",
      duration: "时长，如 90s、30m 或 2h",
      url: "http 或 https 地址",
      text: "非空文本",
      names: "名称列表",
      textsByName: "值为文本的对象",
      models: {
        form: '对象，如 { "名称": { "window": 200000, "tools": "text" } }',
        inWhich: (name, what) => `对象，其中“${name}”${what}`,
        field: (field, expected) => `的 ${field === "" ? "值" : field.slice(1)} 是${expected}`,
        unknown: (key, known) => `没有“${key}”这一项；可用的有 ${known.join("、")}`,
        price:
          '对象，如 { "input": 3, "output": 15, "cacheRead": 0.3, "cacheWrite": 3.75 }，单位为每百万 token 的美元数；缓存价格可以省略',
      },
      notAuto: "ask、edit、read-only 或 bypass：auto 只放行沙箱能约束的操作，而本版本没有沙箱",
      object: "对象",
      rules: "规则列表，如“bash(git log *)”",
      sandbox: "“off”：本版本没有沙箱，不存在的保护不作承诺。请删去",
      laterProtection: "留空：本版本还做不到，不存在的保护不作承诺",
    },
    unknownKey: (where: string, key: string, near: string | null): string =>
      `${where}：没有“${key}”这项设置。${near === null ? "" : `是不是想写“${near}”？`}`,
    laterKey: (where: string, key: string): string =>
      `${where}：这个版本的 Pawl 还没有“${key}”，它不起作用。`,
    untrustedKey: (where: string, key: string): string =>
      `${where}：忽略“${key}”：文件夹受信任之前，项目不能设置它。请写到自己的 config.jsonc。`,
    untrustedAllow: (where: string, count: number): string =>
      `${where}：忽略项目的 ${count} 条 allow 规则：文件夹受信任之前，项目只能收紧。`,
    loosening: (where: string, key: string): string =>
      `${where}：忽略“${key}”：文件夹受信任之前，项目只能收紧它。`,
    turnsInvalid: (where: string, expected: string): string =>
      `${where}：limits.turns 应当是${expected}；现按默认的 50 执行。`,
    unlimitedAlone:
      "只有另设硬上限时才能不限轮数。请加上 --max-cost、--max-tokens、--max-tool-calls 或 --max-time。",
    ruleForm: (rule: string): string => `“${rule}”不是规则。形式：工具 或 工具(模式)。`,
    ruleTool: (rule: string, tool: string, near: string | null): string =>
      `“${rule}”永远不会匹配：没有“${tool}”这个工具。${near === null ? "工具见 docs/tools.md。" : `是不是想写“${near}”？`}`,
    linkOutside: (path: string, target: string): string =>
      `${path} 是指向仓库之外（${target}）的链接，没有作为说明读取。`,
    instructionsCut: (path: string, most: number): string =>
      `${path} 超过 ${most} 字节，只采用开头部分。`,
  },
  answerSchema: {
    missing: (file: string): string => `--json-schema：没有文件 ${file}。`,
    unusable: (file: string): string => `--json-schema：${file} 不是可读的 UTF-8 文本文件。`,
    wrong: (name: string, why: string): string => `${name} 不是可用的 JSON Schema：${why}`,
    notJson: (detail: string): string => `不是 JSON（${detail}）。`,
    notAnObject: "必须是 JSON 对象。",
    tooLarge: (most: number): string => `超过 ${most} 字节。`,
    tooDeep: (most: number): string => `嵌套超过 ${most} 层。`,
    noSuchReference: (reference: string): string =>
      `$ref "${reference}" 在其中没有对应的内容。不会读取其他文件或地址：请把需要的部分复制到 $defs。`,
    noSchema: (place: string, detail: string): string => `${place} 处：${detail}`,
    endless: "其中的引用或模式没有尽头。",
    onlyForPrompts: "--json-schema 只对新的提示生效。继续的运行保持它自己的提示所要求的形式。",
  },
  model: {
    form: (ref: string): string =>
      `“${ref}”不是模型。请写成 提供方/名称，如 anthropic/claude-sonnet-5-5 或 scripted/turns.json。`,
    provider: (provider: string, near: string | null): string =>
      `没有“${provider}”这个提供方。${near === null ? "" : `是不是想写“${near}”？`}全部提供方：pawl models`,
    none: `没有设置模型，没有配置密钥，本机也没有模型服务在应答。可以这样做：
  1. 设置密钥    export ANTHROPIC_API_KEY=…（各提供方及其变量：pawl models）
  2. 本机服务    启动 Ollama、LM Studio、llama.cpp 或 vLLM 并备好模型，会自动找到
  3. 指定模型    pawl -m 提供方/名称、PAWL_MODEL，或 config.jsonc 中的 "model"
  4. 先看一看    pawl demo（脚本模型，不用密钥，不用网络）`,
    local: {
      has: (place, count) =>
        count === 0
          ? `${place} 还没有可以对话的模型。先取一个，例如：ollama pull qwen3-coder`
          : `${place} 提供 ${count} 个模型`,
      absent: (place) => `${place}：那里没有服务。`,
      silent: "没有及时应答。",
      html: "应答的是网页：那个端口被别的程序占用。",
      noJson: "应答的不是 JSON：那个端口被别的程序占用。",
      no_list: "有应答，但不是模型列表：那个端口可能被别的程序占用。",
      too_large: "应答比模型列表可能的大小还大，没有读取。",
      redirect: (to) => `把请求转到 ${to}。如果信任该地址，请把它设为 base URL。`,
      locked: (status, provider) =>
        `需要密钥（${status}）。请在 config.jsonc 中设置 providers.${provider}.apiKeyEnv。`,
      status: (status) => `应答状态 ${status}，可能还在载入模型。请再试。`,
      used: (ref, url) =>
        `没有设置模型，也没有配置密钥：使用在 ${url} 找到的 ${ref}。要固定下来：在 config.jsonc 中写 "model": "${ref}"，或用 -m。`,
      windowMayBeLess: (ref, window, kind) =>
        `${ref} 的窗口本为 ${window} 个 token，但服务端可能只给得更少。${kind === "ollama" ? "请用 OLLAMA_CONTEXT_LENGTH=64000 或更大的值启动它。" : "请以更大的上下文长度载入它。"}`,
      windowIsSmall: (ref, window, kind) =>
        `${ref} 载入的窗口只有 ${window} 个 token，不够带着工具工作；超出的内容可能被悄悄截掉。${kind === "ollama" ? "请用 OLLAMA_CONTEXT_LENGTH=64000 或更大的值启动 Ollama。" : "请以更大的上下文长度载入它。"}`,
      choose: "用哪个模型？输入编号或名称；回车用第一个 › ",
      loaded: "已载入",
      textTools: "以文本调用工具",
    },
    noKey: (provider: string, variable: string): string =>
      `没有 ${provider} 的密钥。请设置 ${variable}，或 config.jsonc 中的 providers.${provider}.apiKeyEnv 或 apiKeyCommand。没有密钥可先试：pawl demo`,
    keyCommand: (provider: string, why: string): string =>
      `providers.${provider}.apiKeyCommand 没有给出密钥（${why}）。`,
    unknown: (ref: string): string => `模型表中没有 ${ref}：上下文窗口和价格未知。`,
    fallbackIsModel: (ref: string): string =>
      `--fallback-model 就是当前模型（${ref}）。请换一个，最好来自另一家提供方。`,
    fallbackGone: (ref: string, why: string): string =>
      `本会话的备用模型 ${ref} 无法使用，已略过：${why}`,
    thinkingRefused: (ref: string): string =>
      `${ref} 不接受思考程度的设置，因此没有传给它；该设置对本会话的其他模型仍然有效。`,
    priceUnknown: (ref: string): string =>
      `无法遵守 --max-cost：${ref} 的价格未知。请改用 --max-tokens 或 --max-turns，或换一个模型。`,
  },
  worktree: {
    name: (name: string): string =>
      `“${name}”不能作工作树的名称：只能用字母、数字、“.”、“_”、“-”。--worktree 之后的提示前要加 --。`,
    noRepository: (folder: string): string =>
      `--worktree 需要 git 仓库，而 ${folder} 不在任何仓库中。`,
    failed: (path: string, why: string): string => `git 无法建立工作树 ${path}：${why}`,
    unsafe: (folder: string): string =>
      `${folder} 中的设置可能启动程序（filter、include 等），因此没有建立工作树。请查看这些设置，用“git worktree add”自行建立，再用 --cwd。`,
  },
  session: {
    folderGone: (folder: string, id: string): string =>
      `会话 ${id} 的文件夹已不存在：${folder}。换个地方继续：pawl -r ${id} --cwd 目录；或另开分支：pawl --fork ${id} --cwd 目录。`,
    folderMissing: (folder: string): string => `没有文件夹 ${folder}。`,
    ownFolderGone: "当前文件夹已被删除。请换到别的文件夹，或用 --cwd 目录。",
    none: (folder: string): string => `${folder} 还没有会话。给出提示即可开始。`,
    ambiguous: (id: string, ids: readonly string[]): string =>
      `有多个会话以 ${id} 开头：${ids.join("、")}。请把 id 写得长一些。`,
    chooseHeadless: (list: string): string =>
      list === ""
        ? "这里的 --resume 需要 id，而本文件夹还没有会话。给出提示即可开始；其他文件夹的会话：pawl sessions --all"
        : `这里的 --resume 需要 id。本文件夹的会话：\n${list}`,
    noSuchStep: (id: string, seq: number, most: number): string =>
      `会话 ${id} 没有第 ${seq} 步，最后一步是 ${most}。`,
    finished: "该会话的上一次运行已经完成，这是它的回答。给出提示即可从那里继续。",
    restored: (mode: string): string => `会话以权限模式 ${mode} 继续。`,
    openQuestion: "输入编号或 id：",
  },
};
