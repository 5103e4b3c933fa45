"use strict";

// Loaded into a measured process: at its end it writes down the files it has loaded, as URLs.

var fs = require("node:fs");
var registerHooks = require("node:module").registerHooks;

var urls = [];
registerHooks({
  load: function (url, context, next) {
    if (url.startsWith("file:")) urls.push(url);
    return next(url, context);
  },
});
process.on("exit", function () {
  fs.writeFileSync(process.env.BENCH_LOADED_FILE, JSON.stringify(urls));
});
