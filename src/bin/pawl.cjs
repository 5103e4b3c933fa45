#!/usr/bin/env node
"use strict";

// The first file that runs, on whatever Node the user has. So: old syntax, no static imports,
// nothing loaded that is not needed. It answers --version, makes sure of the Node version and
// hands over to pawl.ts.

var fs = require("fs");
var path = require("path");

var OLDEST_NODE = [22, 19];

if (process.argv[2] === "--version" && process.argv.length === 3) {
  console.log(readVersion());
} else if (isNewEnough()) {
  start();
} else {
  startOnPackagedNode();
}

function readVersion() {
  // Built: dist/bin/pawl.cjs beside dist/package.json. In a checkout: src/bin/pawl.cjs.
  var built = path.join(__dirname, "..", "package.json");
  var file = fs.existsSync(built) ? built : path.join(__dirname, "..", "..", "package.json");
  return JSON.parse(fs.readFileSync(file, "utf8")).version;
}

function isNewEnough() {
  var parts = process.versions.node.split(".").map(Number);
  return parts[0] > OLDEST_NODE[0] || (parts[0] === OLDEST_NODE[0] && parts[1] >= OLDEST_NODE[1]);
}

function start() {
  dieWithLauncher();
  enableCompileCache();
  import(mainFile()).catch(function (error) {
    console.error(error);
    process.exitCode = 1;
  });
}

/** The built program beside this file, else the one built in this checkout, else the sources. */
function mainFile() {
  var files = ["pawl.js", "../../dist/bin/pawl.js", "pawl.ts"].map(function (file) {
    return path.join(__dirname, file);
  });
  return require("url").pathToFileURL(files.filter(fs.existsSync)[0]).href;
}

function enableCompileCache() {
  try {
    require("module").enableCompileCache({
      directory: path.join(cacheFolder(), "compile-cache"),
      portable: true,
    });
  } catch {
    // Only speed: without the cache everything works, a little later.
  }
}

function cacheFolder() {
  var env = process.env;
  if (env.PAWL_HOME) return path.join(env.PAWL_HOME, "cache");
  var home = require("os").homedir();
  if (process.platform === "win32") return path.join(env.LOCALAPPDATA || home, "pawl", "cache");
  if (process.platform === "darwin") return path.join(home, "Library", "Caches", "pawl");
  return path.join(env.XDG_CACHE_HOME || path.join(home, ".cache"), "pawl");
}

function startOnPackagedNode() {
  var node = packagedNode();
  if (node === null) {
    console.error(
      "Pawl needs Node 22.19 or newer, this is " +
        process.version +
        ": install a newer one from https://nodejs.org. / Pawl 需要 Node 22.19 或更高版本，当前是 " +
        process.version +
        "：请从 https://nodejs.org 安装新版本。",
    );
    process.exitCode = 1;
    return;
  }
  // The child must not outlive this process: it holds the other end of this extra pipe.
  var child = require("child_process").spawn(node, [__filename].concat(process.argv.slice(2)), {
    stdio: ["inherit", "inherit", "inherit", "pipe"],
    env: Object.assign({}, process.env, { PAWL_LAUNCHER_PIPE: "3" }),
  });
  forwardSignals(child);
  child.on("error", function (error) {
    console.error(String(error));
    process.exitCode = 1;
  });
  child.on("exit", function (code, signal) {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Node of the optional packages that come with a checkout; null when it is not installed. */
function packagedNode() {
  try {
    var name = "node-" + process.platform + "-" + process.arch;
    return path.join(path.dirname(require.resolve(name + "/package.json")), "bin", "node");
  } catch {
    return null;
  }
}

function forwardSignals(child) {
  // On a terminal Ctrl-C reaches the whole process group, the child too: once is enough.
  var onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  process.on("SIGINT", function () {
    if (!onTerminal) child.kill("SIGINT");
  });
  ["SIGTERM", "SIGHUP"].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
}

/** Started by startOnPackagedNode: when that process is gone, however it died, so are we. */
function dieWithLauncher() {
  if (process.env.PAWL_LAUNCHER_PIPE !== "3") return;
  delete process.env.PAWL_LAUNCHER_PIPE;
  var Socket = require("net").Socket;
  var pipe = new Socket({ fd: 3, readable: true, writable: false });
  pipe.on("close", function () {
    process.kill(process.pid, "SIGKILL");
  });
  pipe.on("error", function () {});
  pipe.resume();
  pipe.unref();
}
