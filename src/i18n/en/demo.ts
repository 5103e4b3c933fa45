/** What the demo says, what it asks the agent to do, and what its scripted model answers. */
export const demoTexts = {
  demo: {
    title: "Pawl, a demo",
    intro: (url: string): string =>
      `The model here is a script: it answers from a list, through a server on this machine (${url}).
Everything else is real: the program, the files, the commands, the journal on disk.
No key and no network are needed.`,
    folder: (path: string): string => `Sample folders: ${path}`,
    task: (number: number, of: number, title: string): string => `${number}/${of}  ${title}`,
    tasks: {
      name: {
        title: "A question about a project",
        prompt: "What is the name of this project? Look it up, do not guess.",
        answer: 'The project is called "harbour-lights" (version 2.3.0), as package.json says.',
      },
      urls: {
        title: "A change in several files",
        prompt:
          "Find every Python file that imports requests, check it for hard-coded URLs, and fix them: use BASE_URL from config.py.",
        look: "First I look for the import.",
        answer:
          "Fixed two files: tides.py and ships.py now use BASE_URL. notes.py does not import requests and stays as it is.",
      },
      test: {
        title: "A failing test",
        prompt: "The tests fail. Find the cause, fix the code (not the tests), and run them again.",
        answer: "Pages are counted from 1, but the code counted from 0. All tests pass now.",
      },
      crash: {
        title: "A task in the middle of which the agent is killed",
        prompt: "Send invoices 1, 2 and 3 with send.sh, one after the other.",
        begin: "I send them one after the other.",
        look: "The second command was broken off, so I look at what really went out.",
        rest: "Invoices 1 and 2 are out. Only 3 is left.",
        answer: "All three invoices were sent, each of them once.",
      },
    },
    killed: (pid: number): string =>
      `kill -9 ${pid}: the agent is dead, in the middle of its second command.`,
    notKilled: "The agent ended before it could be killed.",
    left: (sent: string): string => `What it left behind in sent.log: ${sent}`,
    resuming:
      "Now the same folder is opened again with: pawl -p -c. Sending invoice 2 once more would be the mistake.",
    checksTitle: "What is true now",
    checks: {
      name: "the answer names the project",
      urls: "both files use BASE_URL, the third is untouched",
      test: "the tests really pass",
      killed: "the agent was killed hard",
      once: "every invoice was sent exactly once",
      agents: "every other run ended by itself, and well",
    },
    done: "Everything holds.",
    failed: "Something does not hold.",
    next: (
      home: string,
      folder: string,
      pawl: string,
    ): string => `Look around (the folders stay until you remove them):
  cd ${folder}
  PAWL_HOME=${home} ${pawl} sessions
With a real model, in a folder of yours:
  export ANTHROPIC_API_KEY=…
  ${pawl}`,
  },
};
