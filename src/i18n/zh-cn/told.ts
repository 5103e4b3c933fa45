import type { Because } from "#core";
import type { Words } from "../en/words.ts";

export const told: Pick<Words, "told"> = { told: { because } };

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
