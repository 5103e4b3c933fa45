import type { PawlError } from "#core";

type Values = NonNullable<PawlError["values"]>;

/** Errors that come from below the app, by their code; their values are named where they are thrown. */
const errors: Readonly<Record<string, (values: Values) => string>> = {
  session_not_found: ({ id }) => `没有会话 ${id}。见：pawl sessions --all`,
  session_in_use: ({ id }) => `会话 ${id} 正在使用，没有删除。请先关闭它。`,
  session_ambiguous: ({ prefix, ids }) =>
    `有多个会话以 ${prefix} 开头：${ids}。请把 id 写得长一些。`,
  journal_locked: ({ id }) =>
    `会话 ${id} 正被另一个进程使用。请在那里关闭它，或用 --fork 另开分支。`,
  journal_failed: ({ why }) =>
    `会话无法写入（${why}）。运行已停止，已写入的内容都是安全的。请腾出空间或检查磁盘，然后继续。`,
  journal_unreadable: ({ path }) => `无法读取会话（${path}），文件保持原样。`,
  journal_newer: ({ version, known }) =>
    `日志的格式是 ${version}，本版本只能读到 ${known}。请安装更新的版本。`,
  blob_missing: ({ name }) =>
    `会话的数据块 ${name} 缺失或损坏。请从备份恢复会话文件夹，或不用它继续。`,
  network_file_system: ({ path, kind }) =>
    `${path} 在网络文件系统（${kind}）上，会话可能写重或丢失。请把 PAWL_HOME 设到本地磁盘。`,
  engine_fault: ({ where, what }) =>
    `引擎在 ${where} 中出错（${what}）。已记录的内容不会丢失：请继续该会话；若再次发生，请报告。`,
  script_unreadable: ({ path }) =>
    `无法读取脚本 ${path}。请给出存在的文件：scripted/文件，相对于工作目录。`,
  script_invalid: ({ path, what }) =>
    `脚本 ${path} 不能使用：${what}。它的格式见 docs/scripted-model.md。`,
  invalid_base_url: ({ url }) => `“${url}”不是服务地址。应以 https:// 或 http:// 开头。`,
  no_base_url: ({ provider, example }) =>
    `不知道 ${provider} 的服务地址。请用 --base-url 或 providers.${provider}.baseUrl 给出，如 ${example}。`,
  invalid_proxy: ({ name }) =>
    `${name} 不是 HTTP 代理服务器的地址（不支持 SOCKS）。请改正，例如 http://127.0.0.1:3128，或取消它。`,
};

/** What the app throws is worded already, in the person's language. */
export function error({ code, message, values }: PawlError): string {
  return values === null || values === undefined ? message : (errors[code]?.(values) ?? message);
}
