import type { Words } from "../en/words.ts";

export const commandLine: Pick<Words, "options" | "commands" | "groups" | "usage"> = {
  options: {
    print: "执行一条提示后退出：答案写到 stdout，其余写到 stderr；stdin 的内容接在提示之后",
    outputFormat:
      "text：最终答案；json：一个结果对象；stream-json：每行一条事实，最后是结果（默认 text）",
    inputFormat:
      'text，或 stream-json：stdin 每行一条命令，如 {"type":"prompt","text":"…"}（默认 text）',
    includeSignals: "stream-json 同时输出信号：文本增量和进度",
    jsonSchema:
      "最终答案必须是符合该 JSON Schema 的 JSON；不符合时最多再问三次，仍不符合则运行失败",
    model:
      "提供方/名称：anthropic/…、openai/…、gemini/…、deepseek/…、openai-compatible/…、ollama/…；scripted/文件；全部见 pawl models（默认取配置，否则取第一个有密钥的提供方，再否则取找到的本机服务）",
    thinking: "模型思考的程度：off、low、medium、high 或 max（默认由模型自己决定）",
    baseUrl: "所选提供方的地址；也可用 ANTHROPIC_BASE_URL、OPENAI_BASE_URL、GEMINI_BASE_URL",
    fallbackModel: "提供方/名称：首选模型重试后仍不可用时，由它回答该提示的其余部分",
    continue: "继续本文件夹最近的会话",
    resume: "按 id 或唯一前缀继续一个会话；不写 id 则从列表里选",
    fork: "ID[@SEQ]：以另一会话的开头部分建立新会话",
    dir: "与 --fork 同用：把文件恢复到该目录",
    permissionMode:
      "ask（询问）、read-only（只读，用于规划）、edit（工作区内可直接编辑）、bypass（不再询问，deny 规则仍有效）。auto 需要沙箱，本版本没有（默认 ask）",
    allow:
      "规则，如 'edit(src/**)' 或 'bash(git log *)'；可重复。deny 优先于 ask，ask 优先于 allow",
    ask: "总是要询问的操作；可重复",
    deny: "绝不允许的操作；可重复",
    sandbox: "off。read-only 和 workspace 本版本没有，因此命令不在沙箱中运行",
    network: "命令的网络：off、on 或主机列表",
    addDir: "再增加一个可写目录；可重复",
    onAsk: "没有终端时：deny 拒绝并给出提示；pause 暂停，退出码 6，可恢复（默认 deny）",
    maxTurns:
      "每条提示的模型调用次数：数字、quick（5）、long（300），或在另有上限时用 unlimited（默认 50）",
    maxCost: "每条提示的费用上限（美元）",
    maxTokens: "每条提示的 token 上限",
    maxToolCalls: "每条提示的工具调用次数上限",
    maxTime: "每条提示的时间上限，如 90s、30m、2h",
    cwd: "工作目录",
    worktree: "在单独的 git 工作树 .pawl/worktrees/名称 中工作",
    config: "用该文件代替 PAWL_HOME 中的 config.jsonc",
    noProjectConfig: "不读取项目设置（.pawl/）",
    lang: "界面语言：en 或 zh-CN（默认按系统区域）",
    quiet: "stderr 上不显示进度",
    verbose: "stderr 上显示更多",
    noColor: "不用颜色；也可设 NO_COLOR",
    version: "显示版本",
    help: "显示本帮助",
    json: "以 JSON 输出",
    all: "所有文件夹的会话",
    messages: "显示每次模型调用的完整请求，而不是事实",
    offline: "不连接任何地址",
  },
  commands: {
    sessions: "列出或删除会话，prune 清理 DAYS 天（30）未用的会话；search 本版本没有",
    show: "逐步显示一个会话里发生了什么，每一步改变了什么",
    config: "当前生效的设置及其来源",
    models: "现在可用的模型、窗口和价格，以及其余为何不可用",
    doctor: "检查本机环境、设置和每个提供方的密钥与地址；不花 token",
    init: "写一份初始的 AGENTS.md",
    completion: "生成 shell 补全脚本",
    demo: "用脚本模型在示例文件夹中完整跑一遍：不需要密钥和网络",
    replay: "重新折叠日志并校验",
    undo: "恢复智能体改动过的内容",
    redo: "撤回一次 undo",
    blame: "这一行是哪次调用写的",
    why: "某次调用为何被允许",
    audit: "每一个权限决定",
    verify: "检查日志链是否完整",
    policy: "只做判断，不运行",
    export: "把会话导出为一个文件",
    import: "导入会话",
    bundle: "打包会话用于报告问题",
    mcp: "工具服务器",
    inspect: "网页检查器",
    acp: "编辑器协议",
    farm: "多机运行",
  },
  groups: {
    run: "运行：",
    session: "会话：",
    permission: "权限：",
    limits: "上限（每条提示）：",
    place: "位置与设置：",
    face: "界面：",
    command: "该命令的选项：",
    commands: "命令：",
  },
  usage: {
    title: "用法：",
    synopsis: `pawl [选项] [提示…]      在终端上：交互
       pawl -p [选项] [提示…]   无界面运行；提示中的 "-" 表示把 stdin 读到底
       pawl <命令> …`,
    footer:
      "退出码：0 完成，1 失败，2 用法或设置有误，3 答案被输出上限截断，4 到达上限，5 被拒绝，\n6 等待许可，7 未知的停止原因，130 被中断，143 被终止。\n没有密钥或网络也能试用：pawl demo",
    commandHelp: "各命令的选项：pawl 命令 --help",
    moreOptions: "`pawl --help` 中的选项在这里同样有效。",
    later: "［本版本没有］",
    notYet: (what: string): string => `这个版本的 Pawl 还没有 ${what}。`,
    unknownOption: (option: string, near: string | null): string =>
      `没有 ${option} 这个选项。${near === null ? "" : `是不是想写 ${near}？`}见 pawl --help。`,
    missingValue: (option: string): string => `选项 ${option} 缺少值。见 pawl --help。`,
    wrongValue: (option: string, value: string, expected: string): string =>
      `${option}：不能用“${value}”。应当是：${expected}。`,
    noTool: (name: string): string => `${name} 不是工具。请用 pawl/tools 的 defineTool 制作。`,
    oneSession: "--continue、--resume 和 --fork 只能用其中一个。",
    autoMode:
      "--permission-mode auto 只放行沙箱能约束的操作，而本版本没有沙箱。请用 ask、edit、read-only 或 bypass。",
    sandboxLater: (wish: string): string =>
      `本版本的 Pawl 没有 --sandbox ${wish}：命令会不受约束地运行。请用 --sandbox off，或去掉该选项并逐一回答询问。`,
    noPrompt: "没有要做的事：请给出提示，或从 stdin 输入文字。例如：pawl -p '解释 main.ts'",
    noTerminal: "交互界面要求 stdin 和 stdout 都是终端。脚本中请用：pawl -p '你的提示'",
    streamNeedsPrint:
      "--input-format stream-json、--output-format、--include-signals 和 --json-schema 要与 -p 同用：请加上 -p。",
    signalsNeedStream: "--include-signals 要与 --output-format stream-json 同用。",
    promptAndStream:
      "使用 --input-format stream-json 时，提示要作为 stdin 的一行给出，而不是参数。",
    promptTooLong: (bytes: number, most: number): string =>
      `提示有 ${bytes} 字节，超过 ${most}。请把文字放进文件，在提示中写明文件名。`,
    operand: (command: string, what: string): string =>
      `pawl ${command}：${what}。见 pawl ${command} --help。`,
  },
};
