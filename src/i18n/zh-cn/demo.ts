import type { Words } from "../en/words.ts";

/** What the demo says, what it asks the agent to do, and what its scripted model answers. */
export const demoTexts: Pick<Words, "demo"> = {
  demo: {
    title: "Pawl 演示",
    intro: (url) =>
      `这里的模型是一份脚本：它按列表作答，由本机上的一个服务器（${url}）提供。
其余都是真的：程序、文件、命令、磁盘上的日志。
不需要密钥，也不需要网络。`,
    folder: (path) => `示例文件夹：${path}`,
    task: (number, of, title) => `${number}/${of}  ${title}`,
    tasks: {
      name: {
        title: "关于项目的一个问题",
        prompt: "这个项目叫什么名字？去查，不要猜。",
        answer: "根据 package.json，这个项目叫 “harbour-lights”（版本 2.3.0）。",
      },
      urls: {
        title: "在几个文件里做修改",
        prompt:
          "找出所有导入了 requests 的 Python 文件，检查是否有硬编码的 URL，并修复它们：使用 config.py 里的 BASE_URL。",
        look: "我先找这个导入。",
        answer:
          "修复了两个文件：tides.py 和 ships.py 现在使用 BASE_URL。notes.py 没有导入 requests，保持不变。",
      },
      test: {
        title: "一个失败的测试",
        prompt: "测试失败了。找出原因，修改代码（不要改测试），再运行一次。",
        answer: "页码从 1 开始，而代码从 0 开始。现在所有测试都通过了。",
      },
      crash: {
        title: "一个任务，中途智能体会被杀死",
        prompt: "用 send.sh 依次发送 1、2、3 号发票。",
        begin: "我依次发送。",
        look: "第二个命令被中断了，所以我先看看实际发出了什么。",
        rest: "1 号和 2 号发票已经发出，只剩 3 号。",
        answer: "三张发票都已发送，每张只发了一次。",
      },
    },
    killed: (pid) => `kill -9 ${pid}：智能体死了，正在执行它的第二个命令。`,
    notKilled: "智能体在被杀死之前就结束了。",
    left: (sent) => `它在 sent.log 里留下的内容：${sent}`,
    resuming: "现在用 pawl -p -c 重新打开同一个文件夹。再发一次 2 号发票就是错误。",
    checksTitle: "现在的事实",
    checks: {
      name: "回答里有项目的名字",
      urls: "两个文件都使用 BASE_URL，第三个没有动",
      test: "测试真的通过了",
      killed: "智能体是被强行杀死的",
      once: "每张发票都只发了一次",
      agents: "其他每次运行都正常结束",
    },
    done: "全部成立。",
    failed: "有一项不成立。",
    next: (home, folder, pawl) => `可以到处看看（这些文件夹会一直保留，直到你删除它们）：
  cd ${folder}
  PAWL_HOME=${home} ${pawl} sessions
使用真实模型，在你自己的文件夹里：
  export ANTHROPIC_API_KEY=…
  ${pawl}`,
  },
};
