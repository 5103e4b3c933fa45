"use strict";

// Loaded into each measured process: at its end it writes down what it used.

var fs = require("node:fs");

process.on("exit", function () {
  fs.writeFileSync(process.env.BENCH_USAGE_FILE, JSON.stringify(process.resourceUsage()));
});
